"""Checklists as authors write them: signs beside empty boxes, feedback, keys alone, blanks."""

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import (
    get_text,
    list_options,
)

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def page(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "page.md")


class TestListsOfReasons:
    def test_numbers_below_headings_that_count_are_no_questions(self):
        text = (
            "## Question 1\n\nWhich are long? [Select two]\n\n- [ ] Ter\n- [x] Tajo\n- [x] Ebro\n\n"
            "**Explanation:**\n\n1. **Tajo**: 1007 km.\n\n2. **Ebro**: 930 km.\n\n"
            "## Question 2\n\nA river is water.\n\n- [x] True\n- [ ] False\n\n"
            "**Explanation:** It has:\n1. a spring\n2. a bed\n3. a mouth\n\n"
            "## Question 3\n\nWhich is a sea?\n\n- [x] Alborán\n- [ ] Ter\n"
        )
        parsed_file = page(text)
        first, second, _ = parsed_file.items
        assert "2. **Ebro**: 930 km." in get_text(first, "explanation")
        assert "3. a mouth" in get_text(second, "explanation")
        assert not parsed_file.ignored_lines


class TestKeysOfSeveralTexts:
    def test_a_text_may_have_a_comma(self):
        text = (
            "1. Which are true? (Choose two)\n"
            "- [ ] The Ter is long\n"
            "- [ ] The Tajo is long, as the atlas says\n"
            "- [ ] The Ebro ends in a sea, which is warm\n\n"
            "**Answer:** The Tajo is long, as the atlas says, The Ebro ends in a sea, which is warm"
            "\n\n2. Which is a river?\n- [ ] Ter\n- [ ] Teide\n\n**Answer:** Ter\n"
        )
        first, second = page(text).items
        assert [is_right for _, is_right in list_options(first)] == [False, True, True]
        assert [is_right for _, is_right in list_options(second)] == [True, False]
        assert {first.status, second.status} <= CLEAN

    def test_words_beyond_the_texts_are_no_key(self):
        text = (
            "1. Which are true? (Choose two)\n- [ ] The Ter is long\n"
            "- [ ] The Tajo is long, as the atlas says\n- [ ] The Ebro ends, in a sea\n\n"
            "**Answer:** The Tajo is long, as the atlas says, The Ebro ends, in a sea, not the Ter"
            "\n\n2. Which is a river?\n- [ ] Ter\n- [ ] Teide\n\n**Answer:** Ter\n"
        )
        assert page(text).items[0].status not in CLEAN
