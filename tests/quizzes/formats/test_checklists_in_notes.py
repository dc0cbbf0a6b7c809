"""Checklists within notes of courses: options that are listings, statements, boxes that fold."""

import pytest

from quizzes.formats import letter_key
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def page(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "page.md")


def get_explanation(item: SourceItem) -> str:
    assert item.question
    texts = item.question.texts.items()
    return next((text["en"] for name, text in texts if name.name == "explanation"), "")


LISTINGS = (
    "#### 1. Which of these calls a function?\n"
    "1. [x]\n    ```python\n    flow()\n    ```\n"
    "2. [ ]\n    ```python\n    flow\n    ```\n\n"
    "#### 2. A river flows.\n1. [x] True\n2. [ ] False\n"
)


class TestOptionsThatAreListings:
    def test_a_box_alone_with_a_number_is_where_it_should_be(self):
        first, _ = page(LISTINGS).items
        assert list_options(first) == [
            ("```python\nflow()\n```", True),
            ("```python\nflow\n```", False),
        ]
        assert first.remainder == ()
        assert first.status in CLEAN

    def test_the_reader_of_other_keys_is_asked_without_an_error(self):
        assert letter_key.detect(LISTINGS.encode(), "page.md") in {True, False}


class TestStatementsInLists:
    TEXT = (
        "### Task 4\n\na) Which of these is true of the Ebro?\n\n"
        "- It flows into the sea.\n  - [x] True\n  - [ ] False\n"
        "- It begins in Portugal.\n  - [ ] True\n  - [x] False\n"
        "- It has no bridge.\n  - [ ] True\n  - [x] False\n"
    )

    def test_each_entry_is_a_question(self):
        first, second, third = page(self.TEXT).items
        assert get_text(first).endswith("It flows into the sea.")
        assert [get_text(second), get_text(third)] == [
            "It begins in Portugal.",
            "It has no bridge.",
        ]
        assert list_options(third) == [("True", False), ("False", True)]
        assert {item.status for item in (first, second, third)} <= CLEAN

    def test_other_options_are_parted_by_entries_as_well(self):
        text = (
            "+ Rivers\n  + Which is the longest\n    + [x] Tajo\n    + [ ] Ebro\n"
            "+ Seas\n  + Which is a lagoon\n    + [ ] Alborán\n    + [x] Mar Menor\n"
        )
        first, second = page(text).items
        assert list_options(first) == [("Tajo", True), ("Ebro", False)]
        assert list_options(second) == [("Alborán", False), ("Mar Menor", True)]

    def test_entries_above_the_question_lose_their_bullets(self):
        text = "+ Rivers\n  + Which is the longest?\n    + [x] Tajo\n    + [ ] Ebro\n"
        (item,) = page(text).items
        assert get_text(item) == "Rivers\n\nWhich is the longest?"

    def test_a_list_above_the_options_stays_a_list(self):
        text = "Two flow west:\n\n- Tajo\n- Duero\n\nWhich is longer?\n\n- [x] Tajo\n- [ ] Duero\n"
        (item,) = page(text).items
        assert "- Tajo\n- Duero" in get_text(item)


class TestAnotherListBelowOptions:
    @pytest.mark.parametrize("label", ["**Hint:**", "**Dica:**"])
    def test_an_entry_with_another_bullet_is_no_option(self, label):
        text = (
            f"### Question 1\n\nThe Tajo flows west.\n\n- [x] True\n- [ ] False\n* {label}\n"
            "    1. <https://example.com/tajo>\n\n### Question 2\n\nWhich is a river?\n\n"
            f"- [x] Tajo\n- [ ] Teide\n\n* {label}\n    1. <https://example.com/teide>\n"
        )
        first, second = page(text).items
        assert list_options(first) == [("True", True), ("False", False)]
        assert list_options(second) == [("Tajo", True), ("Teide", False)]
        assert first.status in CLEAN

    def test_an_entry_with_the_same_bullet_lacks_its_box(self):
        text = "Which is a river?\n\n- [x] Tajo\n- Teide\n- [ ] Moncayo\n- Aneto\n"
        (item,) = page(text).items
        assert "box_missing" in list_codes(item)
        assert len(list_options(item)) == 4


class TestBlocksWithSeveralKinds:
    TEXT = (
        '!!! exercise choice "Question"\n'
        "    Which river flows through Zaragoza?\n\n    - [X] Ebro\n    - [ ] Tajo\n\n"
        '    !!! answer "Answer"\n        It has done so since Roman times.\n\n'
        '!!! exercise choice "Question"\n'
        "    True or false: the Tajo flows east.\n\n    - [ ] True\n    - [X] False\n\n"
        '    !!! answer "Answer"\n        It flows west.\n'
    )

    def test_each_is_a_question_with_its_reason(self):
        first, second = page(self.TEXT).items
        assert get_text(first) == "Which river flows through Zaragoza?"
        assert list_options(first) == [("Ebro", True), ("Tajo", False)]
        assert list_options(second) == [("True", False), ("False", True)]
        assert "Roman times" in get_explanation(first)
        assert "flows west" in get_explanation(second)
        assert {first.status, second.status} <= CLEAN

    def test_blocks_of_one_kind_are_parted_as_well(self):
        first, second = page(self.TEXT.replace("exercise choice", "question")).items
        assert list_options(first) == [("Ebro", True), ("Tajo", False)]
        assert get_text(second).endswith("the Tajo flows east.")


class TestWordsAboveRules:
    TEXT = (
        "**1** What does this print?\n\n```\nprint(1)\n```\n\n- [x] 1\n- [ ] 2\n\n"
        "It prints what stands in brackets.\n\n---\n\n"
        "**2** What does that print?\n\n```\nprint(2)\n```\n\n- [ ] 1\n- [x] 2\n\n---\n\n"
        "**3** What does the last one print?\n\n- [ ] 1\n- [x] 3\n\nThree it is.\n\n---\n"
    )

    def test_they_explain_the_question_above_where_rules_part_all(self):
        first, second, third = page(self.TEXT).items
        assert "stands in brackets" in get_explanation(first)
        assert get_text(second).startswith("**2** What does that print?")
        assert "---" not in get_text(second)
        assert get_explanation(second) == ""
        assert list_options(third) == [("1", False), ("3", True)]

    def test_words_that_ask_explain_nothing(self):
        text = self.TEXT.replace("It prints what stands in brackets.", "And what is a bracket?")
        first, *_ = page(text).items
        assert get_explanation(first) == ""

    def test_one_rule_of_several_questions_parts_none(self):
        text = (
            "Which is a river?\n\n- [x] Tajo\n- [ ] Teide\n\nRivers have a mouth.\n\n---\n\n"
            "Which is a hill?\n\n- [ ] Tajo\n- [x] Teide\n\n"
            "Which is a sea?\n\n- [ ] Tajo\n- [x] Alborán\n"
        )
        first, second, _ = page(text).items
        assert get_explanation(first) == ""
        assert "Rivers have a mouth." in get_text(second)


class TestBoxesWithListings:
    FENCED = (
        "### Which function adds all numbers?\n\n```\ntotal(l)\n```\n\n"
        "1. [ ] ```\n    def f(l):\n        return l[0]\n    ```\n"
        "2. [x] ```python\n    def f(l):\n        return sum(l)\n    ```\n\n"
        "### Which one adds none?\n\n"
        "- [x] ```\n  f()\n  ```\n- [ ] ```\n  f(1)\n  ```\n"
    )

    def test_a_listing_may_begin_beside_its_box(self):
        first, second = page(self.FENCED).items
        assert list_options(first) == [
            ("```\ndef f(l):\n    return l[0]\n```", False),
            ("```python\ndef f(l):\n    return sum(l)\n```", True),
        ]
        assert list_options(second) == [("```\nf()\n```", True), ("```\nf(1)\n```", False)]
        assert {first.status, second.status} <= CLEAN

    def test_a_box_without_bullet_and_text_goes_on_with_an_option(self):
        text = "What does it print?\n\n- [x] 12\nFalse\n- [ ] 12\n[ ]\n- [ ] 7\nTrue\n"
        (item,) = page(text).items
        assert [right for _, right in list_options(item)] == [True, False, False]


class TestFeedbackThatIsTheKey:
    TEXT = (
        "## Which river is the longest of Spain?\n\n"
        "1. [ ] Ebro\n    > {wrong} It has 930 km.\n"
        "1. [ ] Tajo\n    > {right}\n"
        "1. [ ] Duero\n    > {wrong}\n\n"
        "## Which is a sea?\n\n1. [x] Alborán\n    > {right}\n1. [ ] Teide\n    > {wrong}\n"
    )

    @pytest.mark.parametrize(
        ("right", "wrong"),
        [
            ("That's correct!", "That's not correct."),
            ("Correct.", "Incorrect."),
            ("Well done!", "Not quite."),
            ("¡Correcto!", "No es correcto."),
            ("Right!", "Sorry, wrong."),
        ],
    )
    def test_it_ticks_a_list_without_ticks(self, right, wrong):
        first, _ = page(self.TEXT.format(right=right, wrong=wrong)).items
        assert list_options(first) == [("Ebro", False), ("Tajo", True), ("Duero", False)]
        assert first.status in CLEAN

    @pytest.mark.parametrize(
        ("right", "wrong"),
        [
            ("That's correct!", "That's correct!"),
            ("Correctness counts.", "Wrongs are righted."),
            ("That's correct!", "It has 930 km."),
        ],
    )
    def test_it_must_judge_each_option(self, right, wrong):
        first, _ = page(self.TEXT.format(right=right, wrong=wrong)).items
        assert "key_unknown" in list_codes(first)


class TestKeysOfPlaces:
    TEXT = (
        "1.  **Which is a river?**\n    - [ ] Teide\n    - [ ] Tajo\n    <br>\n\n"
        "2.  **Which is a sea?**\n    - [ ] Alborán\n    - [ ] Moncayo\n    <br>\n\n"
        "**Answer Key**\n{keys}\n"
    )

    @pytest.mark.parametrize(
        "keys",
        [
            "1.  **B**: ||It flows.||\n2.  **A**: ||It is salty.||",
            "1. B\n2. A",
            "1-B, 2-A",
            "1) b\n2) a",
        ],
    )
    def test_letters_at_the_end_name_the_places_of_boxes(self, keys):
        first, second = page(self.TEXT.format(keys=keys)).items
        assert list_options(first) == [("Teide", False), ("Tajo", True)]
        assert list_options(second) == [("Alborán", True), ("Moncayo", False)]
        assert {first.status, second.status} <= CLEAN
        assert "|" not in get_explanation(first)

    def test_a_letter_beyond_the_places_names_none(self):
        first, _ = page(self.TEXT.format(keys="1. E\n2. A")).items
        assert [right for _, right in list_options(first)] == [False, False]


class TestBoxesThatFoldAbove:
    STEPS = "1. Open the map.\n2. Follow the river.\n"
    TEXT = (
        "## Rivers\n\n<details>\n<summary><b>Task 1</b></summary>\n\n" + STEPS + "\n</details>\n\n"
        "<details>\n<summary><b>Test your knowledge</b></summary>\n\n"
        "- Q. The Ebro has a delta.\n  - [x] True\n  - [ ] False\n\n"
        "- Q. The Tajo has a delta.\n  - [ ] True\n  - [x] False\n</details>\n"
    )

    def test_they_are_no_part_of_the_first_question(self):
        first, second = page(self.TEXT).items
        assert "Follow the river" not in get_text(first)
        assert get_text(first).endswith("The Ebro has a delta.")
        assert list_options(second) == [("True", False), ("False", True)]

    def test_one_that_asks_stays(self):
        text = self.TEXT.replace("Follow the river.", "What is a river?")
        first, _ = page(text).items
        assert "What is a river?" in get_text(first)


class TestTitlesOfOtherScripts:
    @pytest.mark.parametrize(
        ("first", "second"),
        [("最长的河流是哪个", "下列说法正确的是"), ("西班牙的首都是什么", "埃布罗河有多长")],
    )
    def test_words_that_ask_need_no_question_mark(self, first, second):
        text = (
            f"# 河\n\n+ {first}\n  + [X] Tajo\n  + [ ] Ebro\n\n"
            f"+ {second}\n  + [X] Madrid\n  + [X] Toledo\n\n+ 选择\n  + [X] a\n  + [ ] b\n"
        )
        for item in page(text).items[:2]:
            assert "task_list" not in list_codes(item)


class TestWordsAboveTheFirstQuestion:
    ATLAS = (
        "# Rivers\n\n1. Water: it flows to the sea.\n\nReview: as we saw, rivers are long.\n\n"
        "**Q: Which is a river? (Select all that apply.)**\n\n"
        "- [x] Tajo\n- [x] Ebro\n- [ ] Teide\n\n"
        "**Q: Which is a sea?**\n- [x] Alborán\n- [ ] Moncayo\n"
    )

    def test_they_introduce_the_page_where_all_others_begin_with_the_same_label(self):
        first, second = page(self.ATLAS).items
        assert get_text(first) == "Which is a river? (Select all that apply.)"
        assert get_text(second) == "Which is a sea?"

    def test_they_stay_where_the_others_have_words_above_their_labels_as_well(self):
        text = self.ATLAS.replace("**Q: Which is a sea", "Seas are salty.\n\n**Q: Which is a sea")
        first, _ = page(text).items
        assert "rivers are long" in get_text(first)

    def test_an_entry_that_is_a_label_begins_a_question(self):
        text = (
            "# Scaling\n\n* Divide by the largest number\n* Scaling helps\n* Question\n\n"
            "    Which is a step of scaling?\n\n    * [ ] Multiply\n    * [x] Divide\n\n"
            "    It makes the largest number 1.\n\n# Rates\n\n* Rates are small\n* Question\n\n"
            "    What to do when it diverges?\n\n    * [x] Lower the rate\n    * [ ] Raise it\n"
        )
        first, second = page(text).items
        assert get_text(first) == "Scaling\n\nWhich is a step of scaling?"
        assert get_text(second) == "Rates\n\nWhat to do when it diverges?"
        assert "largest number 1" in get_explanation(first)


class TestDetailsAboveThePrompt:
    TEXT = (
        "### RIV-1\ndifficulty: 4\ntags: rivers, spain\nreference: Atlas of Rivers\n\n"
        "Q: Which river is the longest?\n- [x] Tajo\n- [ ] Ebro\n\n"
        "### RIV-2\ndifficulty: 2\ntags: seas\nreference: Atlas of Seas\n\n"
        "Q: Which is a sea?\n- [x] Alborán\n- [ ] Teide\n"
    )

    def test_a_block_of_them_is_left_out_and_told(self):
        first, _ = page(self.TEXT).items
        assert "difficulty" not in get_text(first)
        assert "Atlas" not in get_text(first)
        assert get_text(first).endswith("Which river is the longest?")
        assert list_codes(first).count("detail_left_out") == 3
        assert first.status in CLEAN

    def test_one_line_alone_may_be_a_part_of_the_prompt(self):
        text = (
            "### RIV-1\n\nsource: a letter of 1605\n\nWho wrote it?\n- [x] Cervantes\n- [ ] Lope\n"
        )
        (item,) = page(text).items
        assert "a letter of 1605" in get_text(item)


class TestKeysAmongEntries:
    @pytest.mark.parametrize("label", ["**Correct Answer:**", "**Answer:**", "Correct answer:"])
    def test_an_entry_that_repeats_the_key_is_no_option(self, label):
        text = (
            "1. **Which is a river?**\n   - [ ] Teide\n   - [x] Tajo\n   - [ ] Aneto\n"
            f"   - {label} Tajo\n   - **Explanation:** It flows.\n\n"
            "2. **Which is a sea?**\n   - [x] Alborán\n   - [ ] Teide\n"
            f"   - {label} Alborán\n   - **Explanation:** It is salty.\n"
        )
        first, second = page(text).items
        assert list_options(first) == [("Teide", False), ("Tajo", True), ("Aneto", False)]
        assert list_options(second) == [("Alborán", True), ("Teide", False)]
        assert "It flows." in get_explanation(first)
        assert {first.status, second.status} <= CLEAN


def test_a_command_of_latex_is_no_answer_between_braces():
    text = (
        "<quiz>\nWhich field has two elements?\n\n- [x] The smallest\n- [ ] The reals\n\n"
        "Both are in $\\mathbb{F}^2$, too.\n</quiz>\n\n"
        "<quiz>\nWhich has none?\n\n- [x] Neither\n- [ ] Both\n</quiz>\n"
    )
    first, _ = page(text).items
    assert first.status in CLEAN
    assert "mathbb{F}" in get_explanation(first)
