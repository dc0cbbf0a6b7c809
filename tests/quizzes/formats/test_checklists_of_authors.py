"""Checklists as authors write them: signs beside empty boxes, feedback, keys alone, blanks."""

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import (
    get_text,
    list_options,
    list_options_with_feedback,
)

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def page(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "page.md")


class TestSignsBesideEmptyBoxes:
    TEXT = (
        "## Q1: Rivers\n\n> Which river is the longest?\n\n"
        "- [ ] **Tajo** ✅: `Correct. It has 1007 km.`\n"
        "- [ ] **Ebro** ❌: `Incorrect. It has 930 km.`\n\n"
        "## Q2: Seas\n\n> Which are seas? (Select all that apply)\n\n"
        "- [ ] **Alborán** ✅: `Correct. It is one.`\n"
        "- [ ] **Mar Menor** ❌: `Incorrect. It is a lagoon.`\n"
        "- [ ] **Cantábrico** ✅: `Correct. It is one.`\n"
    )

    def test_each_says_whether_its_option_is_right(self):
        first, second = page(self.TEXT).items
        assert list_options_with_feedback(first) == [
            ("**Tajo**", True, "Correct. It has 1007 km."),
            ("**Ebro**", False, "Incorrect. It has 930 km."),
        ]
        assert [is_right for _, is_right in list_options(second)] == [True, False, True]
        assert {first.status, second.status} <= CLEAN

    @pytest.mark.parametrize("end", ["", " "])
    def test_a_sign_may_end_its_option(self, end):
        text = f"## Q1\n\nWhich is a river?\n\n- [ ] Tajo ✅{end}\n- [ ] Teide ❌{end}\n"
        (item,) = page(text).items
        assert list_options(item) == [("Tajo", True), ("Teide", False)]
        assert item.status in CLEAN

    @pytest.mark.parametrize(
        "options",
        [
            "- [ ] Tajo ✅: long\n- [ ] Ebro ✅: short\n",
            "- [ ] Tajo ❌: long\n- [ ] Ebro ❌: short\n",
            "- [ ] Tajo ✅: long\n- [ ] Ebro: short\n",
        ],
    )
    def test_signs_that_do_not_tell_options_apart_are_no_key(self, options):
        (item,) = page(f"## Q1\n\nWhich is a river?\n\n{options}").items
        assert item.status is ImportStatus.REVIEW
        assert not any(is_right for _, is_right in list_options(item))

    def test_boxes_with_ticks_are_the_key(self):
        (item,) = page("## Q1\n\nWhich?\n\n- [x] Tajo ❌: no\n- [ ] Ebro ✅: yes\n").items
        assert item.status is ImportStatus.REVIEW


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
