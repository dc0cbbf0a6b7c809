"""Checklists as authors write them: signs beside empty boxes, feedback, keys alone, blanks."""

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import (
    get_text,
    list_codes,
    list_options,
    list_options_with_feedback,
)

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def page(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "page.md")


def get_accepted(item: SourceItem) -> list[object]:
    assert item.question
    return [row.values["text"] for row in item.question.tables["accepted"]]


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

    def test_a_list_of_ours_may_have_no_right_option(self):
        text = (
            "## rivers\n\n<!-- kind: multiple_choice; none_apply: yes -->\n\nWhich are seas?\n\n"
            "- [ ] Tajo ✅: long\n- [ ] Ebro ❌: short\n"
        )
        (item,) = page(text).items
        assert list_options(item) == [("Tajo ✅: long", False), ("Ebro ❌: short", False)]

    def test_boxes_with_ticks_are_the_key(self):
        (item,) = page("## Q1\n\nWhich?\n\n- [x] Tajo ❌: no\n- [ ] Ebro ✅: yes\n").items
        assert item.status is ImportStatus.REVIEW


class TestParagraphsOfOnePart:
    def test_a_statement_below_a_question_asks_by_itself(self):
        text = (
            "# Rivers\n\n### Quiz: do you know?\nWhich river is the longest? (2 P)\n"
            "- [x] Tajo\n- [ ] Ter\n- [ ] Ebro\n> Right: it has 1007 km.\n> Wrong: look again.\n\n"
            'The word "río" means river.\n- [x] True\n- [ ] False\n\n'
            "Which of them end in a sea? (2 P)\n- [x] Ebro\n- [x] Ter\n- [ ] Jalón\n"
        )
        items = page(text).items
        assert [len(list_options(item)) for item in items] == [3, 2, 3]
        assert [[text for text, is_right in list_options(item) if is_right] for item in items] == [
            ["Tajo"],
            ["True"],
            ["Ebro", "Ter"],
        ]
        assert get_text(items[1]) == 'The word "río" means river.'
        assert {item.status for item in items} <= CLEAN


class TestAnOptionAlone:
    TEXT = (
        "### How many provinces has Galicia?\n- [x] 4\n\n"
        "### Which river passes Sevilla?\n- [ ] Tajo\n- [x] Guadalquivir\n\n"
        "### How does a river begin?\n- [x] With a spring, in most cases, on a mountain\n"
    )

    def test_it_is_the_answer_and_for_a_person(self):
        first, second, third = page(self.TEXT).items
        assert get_accepted(first) == ["4"]
        assert "With a spring, in most cases, on a mountain" in get_text(third, "explanation")
        assert second.status is ImportStatus.IMPORTED
        for item in (first, third):
            assert item.status is ImportStatus.REVIEW
            assert list_codes(item) == ["options_missing"]

    def test_one_without_a_tick_is_none(self):
        item = page(self.TEXT.replace("- [x] 4", "- [ ] 4")).items[0]
        assert item.status is ImportStatus.REFUSED

    def test_a_task_is_none(self):
        text = (
            "# Work\n\n## Kitchen\n- [x] Clean it\n\n## Garden\n- [x] Cut the grass\n- [ ] Rest\n"
        )
        assert all(item.status not in CLEAN for item in page(text).items)
        assert page(text).items[0].status is ImportStatus.REFUSED


class TestFeedbackBelowEachOption:
    def test_the_last_option_has_its_own(self):
        text = (
            "# Check 1\n\nWhich river is the longest?\n\n"
            "- [x] Tajo\n\n> Right! It has 1007 km.\n\n"
            "- [ ] Ebro\n\n> Try again! It has 930 km.\n\n# Next\n\nMore about rivers.\n"
        )
        item = page(text).items[0]
        assert list_options_with_feedback(item) == [
            ("Tajo", True, "Right! It has 1007 km."),
            ("Ebro", False, "Try again! It has 930 km."),
        ]
        assert not get_text(item, "explanation")

    def test_what_stands_apart_below_it_explains(self):
        text = (
            "## Q1\n\nWhich river is the longest?\n\n- [x] Tajo\n> It has 1007 km.\n"
            "- [ ] Ebro\n> It has 930 km.\n\n> Lengths are those of the atlas.\n"
        )
        item = page(text).items[0]
        assert [feedback for *_, feedback in list_options_with_feedback(item)] == [
            "It has 1007 km.",
            "It has 930 km.",
        ]
        assert get_text(item, "explanation") == "Lengths are those of the atlas."

    @pytest.mark.parametrize(
        ("first", "below"),
        [
            ("> It is long.\n", "\n> Lengths are those of the atlas.\n"),
            ("\n> It is long.\n\n", "\n> **Explanation:** Lengths are those of the atlas.\n"),
        ],
    )
    def test_what_is_no_feedback_explains(self, first, below):
        text = f"## Q1\n\nWhich river is the longest?\n\n- [x] Tajo\n{first}- [ ] Ebro\n{below}"
        item = page(text).items[0]
        assert list_options_with_feedback(item) == [
            ("Tajo", True, "It is long."),
            ("Ebro", False, ""),
        ]
        assert "Lengths are those of the atlas." in get_text(item, "explanation")


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


class TestBlanksInBrackets:
    @pytest.mark.parametrize("blank", ["（\u3000\u3000）", "(   )", "（ ）"])
    def test_they_ask(self, blank):
        parts = "".join(
            f"#### [单项选择题00{at}]\n\n- 最长的河是{blank}。\n\n{options}\n"
            for at, options in enumerate(
                [
                    "- [x] A. 塔霍河\n- [ ] B. 埃布罗河\n- [ ] C. 泰德\n",
                    "- [ ] A. 塔霍河\n- [ ] B. 埃布罗河\n- [ ] C. 泰德\n",
                ]
            )
        )
        first, second = page(parts).items
        assert first.status is ImportStatus.IMPORTED
        assert list_codes(second) == ["key_unknown"]


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


class TestHeadingsWithoutWords:
    def test_they_stand_between_questions_and_are_no_words(self):
        text = "## Quiz\n\n##\n\nA river is water.\n\n- [x] True\n- [ ] False\n\n##\n\n"
        parsed_file = page(f"{text}The sea is\n\n- [x] salty\n- [ ] sweet\n")
        assert [get_text(item) for item in parsed_file.items] == ["A river is water.", "The sea is"]

    def test_settings_above_them_are_no_words(self):
        text = (
            '---\nprimary_color: blue\nsecondary_color: "#f2f2f2"\ntext_color: black\n\n---\n\n'
            "##\n\nA river is water.\n\n- [x] True\n- [ ] False\n\n"
        )
        first, _ = page(f"# Rivers\n\n{text}##\n\nThe sea is\n\n- [x] salty\n- [ ] sweet\n").items
        assert get_text(first) == "A river is water."


RIVERS = [("Tajo", True), ("Teide", False)]


@pytest.mark.parametrize(
    ("text", "prompts"),
    [
        (
            (
                "- Which of these that are long\n  is a river?\n\n  - [x] Tajo\n  - [ ] Teide\n\n"
                "- Which flows?\n\n  - [x] Tajo\n  - [ ] Teide\n"
            ),
            ["Which of these that are long\nis a river?", "Which flows?"],
        ),
        (
            "Which is a river?\n\n<ul>\n<li>- [x] Tajo</li>\n<li>[ ] Teide</li>\n</ul>\n",
            ["Which is a river?"],
        ),
        ("1. Which flows?\n\t- [v] Tajo\n\t- [ ] Teide\n", ["Which flows?"]),
        (
            (
                "### 1. Two are long.\n### Which flows?\n- [x] Tajo\n- [ ] Teide\n"
                "### 2. Which is wet?\n- [x] Tajo\n- [ ] Teide\n"
            ),
            ["Two are long.\nWhich flows?", "Which is wet?"],
        ),
        (
            (
                "## Question 1\n\n**Type:** Multiple Choice\n**Question:**\nWhich flows?\n\n"
                "- [x] Tajo\n- [ ] Teide\n"
            ),
            ["Which flows?"],
        ),
        (
            "## Q1: Which flows?\n::type=graded\n- [x] Tajo\n- [ ] Teide\n::time=30\n",
            ["Which flows?"],
        ),
    ],
)
def test_boxes_in_further_layouts_are_read_clean(text, prompts):
    items = page(text).items
    assert [" ".join(get_text(item).split()) for item in items] == [
        " ".join(prompt.split()) for prompt in prompts
    ]
    assert [list_options(item) for item in items] == [RIVERS] * len(prompts)
    assert all(item.status in CLEAN and not item.remainder for item in items)


def test_a_letter_in_a_box_beside_ticks_is_no_tick():
    (item,) = page("Which flows?\n\n- [v] Teide\n- [x] Tajo\n- [ ] Pico\n").items
    assert item.status not in CLEAN or ("Teide", True) not in list_options(item)


def test_options_that_are_signs_stand_in_their_place():
    (item,) = page("Which sign says equal?\n\n1. [ ] <>\n2. [x] =\n3. [ ] =>\n").items
    assert list_options(item) == [("<>", False), ("=", True), ("=>", False)]
    assert item.status in CLEAN
    assert not item.remainder


def test_keys_at_the_end_may_have_reasons_with_numbers():
    lists = "".join(f"{n}. **Which is {n}?**\n   - [ ] Tajo\n   - [ ] Teide\n\n" for n in (1, 2))
    reason = "it has 1007 km in two countries, as in row 9 - Rivers of the list."
    keys = f"1. **A**: {reason}\n2. **B**: it is none.\n"
    items = page(f"{lists}**Answer Key**\n{keys}").items
    assert [[right for _, right in list_options(item)] for item in items] == [
        [True, False],
        [False, True],
    ]
    assert all(item.status in CLEAN for item in items)


def test_statements_with_roman_numbers_are_above_the_options():
    text = (
        "### Q1\n**Which is true?**\n\n(i) Tajo flows.  \n(ii) Teide flows.\n\n"
        "- [ ] A) (i) only\n- [ ] B) (ii) only\n\n**Answer:** A\n"
    )
    (item,) = page(text).items
    assert list_options(item) == [("(i) only", True), ("(ii) only", False)]
    assert "(ii) Teide flows." in get_text(item)


def test_a_key_may_leave_out_what_an_option_has_in_brackets():
    text = (
        "### 1. What is Tajo?\n\n* [ ] A river (of 1007 km) in two countries\n* [ ] A hill\n\n"
        "<details>\n<summary>Show Answer</summary>\n\n"
        "**Correct Answer:** A river in two countries\n\n</details>\n"
    )
    (item,) = page(text).items
    assert [right for _, right in list_options(item)] == [True, False]
    assert item.status in CLEAN
