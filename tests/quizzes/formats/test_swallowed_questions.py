"""Questions without options, and lists in explanations: no part of a neighbour's prompt, clean."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

LETTERS = "A) Tajo\nB) Ebro\nC) Duero\n\n**Answer:** B\n\n"
BOXES = "- [ ] Tajo\n- [x] Ebro\n- [ ] Duero\n\n"
RIVERS = [("Tajo", False), ("Ebro", True), ("Duero", False)]
BOTH = pytest.mark.parametrize("options", [LETTERS, BOXES])


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def describe(items: tuple[SourceItem, ...]) -> list[str]:
    return [get_text(item) if item.question else item.status.value for item in items]


@BOTH
@pytest.mark.parametrize(
    "reasons",
    [
        "**Explanation:** for two reasons:\n\n1. it is.\n\n2. it was.\n\n",
        "Explanation: because\n1. it is.\n2. it was.\n\n",
        "> Explanation: because\n\n1. it is.\n\n2. it was.\n\n",
        "**Explicación:** por tres razones:\n\n1. lo es.\n2. lo fue.\n3. lo será.\n\n",
    ],
)
def test_a_numbered_list_in_an_explanation_is_no_question(options, reasons):
    items = read(
        f"1. Which is longer?\n\n{options}{reasons}2. Which is wider?\n\n{options}{reasons}"
        f"3. Which is deeper?\n\n{options}{reasons}"
    )
    assert describe(items) == ["Which is longer?", "Which is wider?", "Which is deeper?"]
    assert [item.status for item in items] == [ImportStatus.IMPORTED] * 3
    first, second, third = (get_text(item, "explanation") for item in items)
    assert first == second == third
    assert "1. " in first
    assert "2. " in first


@BOTH
def test_a_question_without_options_below_a_list_of_reasons_is_told_by_name(options):
    items = read(
        f"1. Which is longer?\n\n{options}Explanation:\n\n1. it is.\n\n2. it was.\n\n"
        f"2. What is your name?\n\n3. Which is deeper?\n\n{options}"
    )
    assert describe(items) == ["Which is longer?", "refused", "Which is deeper?"]
    assert list_codes(items[1]) == ["options_missing"]


@BOTH
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_a_first_question_without_options_is_told_by_name(options, gap):
    items = read(
        f"1. What is your name?{gap}2. Which is wider?\n\n{options}3. Which is deeper?\n\n{options}"
    )
    assert describe(items) == ["refused", "Which is wider?", "Which is deeper?"]


def test_a_list_in_a_prompt_is_a_part_of_it():
    text = (
        "1. Tajo is long.\n2. Ebro is long.\n\nWhich of these are true?\n\n{0}"
        "Which is deeper?\n\n{0}"
    )
    prompts = describe(read(text.format(BOXES)))
    assert prompts[1] == "Which is deeper?"
    assert "Ebro is long." in prompts[0]
    assert "Which of these are true?" in prompts[0]


@BOTH
@pytest.mark.parametrize("ask", ["{}", "**{}**"])
def test_two_questions_without_numbers_above_one_list_are_for_a_person(options, ask):
    asks = [ask.format(words) for words in ("Which is longer?", "Who are you?", "Which is wider?")]
    first, second, third = read(
        f"{asks[0]}\n\n{options}{asks[1]}\n\n{asks[2]}\n\n{options}Which is deeper?\n\n{options}"
    )
    assert (first.status, third.status) == (ImportStatus.IMPORTED, ImportStatus.IMPORTED)
    assert (second.status, list_codes(second)) == (ImportStatus.REVIEW, ["several_prompts"])
    assert list_options(second) == RIVERS


def test_two_sentences_that_ask_below_a_heading_or_in_one_paragraph_are_one_question():
    headed = "### Question {}\n\nWho knows?\n\nWhich is longer?\n\n"
    joined = "Who knows?\nWhich is longer?\n\n"
    items = read(headed.format(1) + BOXES + headed.format(2) + BOXES)
    assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2
    items = read(joined + BOXES + joined.replace("longer", "wider") + BOXES)
    assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2


@pytest.mark.parametrize(
    "head",
    [
        "Quiz title: Rivers\n\nTitle: Length\nPoints: 2\n",
        "Title: Length\nPoints: 2\n",
        "shuffle answers: true\n\nTitle: Length\nPoints: 2\n",
    ],
)
def test_settings_of_a_single_text2qti_question_are_no_words_of_its_prompt(head):
    (item,) = read(f"{head}1. Which is longer?\na) Tajo\n*b) Ebro\nc) Duero\n")
    assert (item.status, item.name) == (ImportStatus.IMPORTED, "length")
    assert item.points == 2
    assert get_text(item) == "Which is longer?"
    assert list_options(item) == RIVERS
