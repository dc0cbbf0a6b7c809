"""Options with numbers: beside empty boxes, or below prompts that have numbers, too."""

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "quiz.md", language="en")


def list_right(parsed_file: ParsedFile) -> list[list[str]]:
    """Return the right options of each question."""
    return [
        [text for text, is_right in list_options(item) if is_right] for item in parsed_file.items
    ]


@pytest.mark.parametrize("sign", [".", ")"])
@pytest.mark.parametrize("key", ["answer: 2", "**Answer:** 2", "Respuesta: 2)", "Answer: B"])
def test_a_number_names_one_of_empty_boxes_with_numbers(key, sign):
    boxes = f"1{sign} [ ] Duero\n2{sign} [ ] Nile\n3{sign} [ ] Volga\n{key}\n\n"
    text = f"#### 1. Which river is in Africa?\n{boxes}#### 2. Which one is longest?\n{boxes}"
    parsed_file = read(text)
    assert list_right(parsed_file) == [["Nile"], ["Nile"]]
    assert [item.status in CLEAN for item in parsed_file.items] == [True, True]
    assert [len(list_options(item)) for item in parsed_file.items] == [3, 3]


def test_boxes_that_are_texts_of_options_are_no_boxes_of_a_page():
    text = "#### 1. How does one write a task?\n1. [ ] [ ] Walk\n2. [ ] - [ ] Walk\nanswer: 2\n"
    (item,) = read(text).items
    assert (item.status, item.is_damaged) == (ImportStatus.IMPORTED, False)
    assert list_options(item) == [("[ ] Walk", False), ("- [ ] Walk", True)]


OPTIONS = ("It is the longest.", "It flows to the north.", "It has no bridge.")


def write(number: int, ask: str, key: str, *, gap: str = "\n\n") -> str:
    options = gap.join(f"{at}.  {text}" for at, text in enumerate(OPTIONS, start=1))
    return f"{number}.  **{ask}**\n\n<!-- end list -->\n\n{options}\n\n{key}\n\n"


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
@pytest.mark.parametrize(
    "key", ["**Risposta corretta: b.** It does so from Sudan on.", "**Answer: B.**", "Answer: 2"]
)
def test_a_letter_names_an_option_with_a_number_below_a_prompt_with_one(key, gap):
    text = write(1, "What of the Nile?", key, gap=gap) + write(2, "And it?", key, gap=gap)
    parsed_file = read(f"# Rivers\n\n{text}")
    assert list_right(parsed_file) == [[OPTIONS[1]], [OPTIONS[1]]]
    assert [item.status in CLEAN for item in parsed_file.items] == [True, True]
    assert [get_text(item).strip("*") for item in parsed_file.items] == [
        "What of the Nile?",
        "And it?",
    ]


@pytest.mark.parametrize(
    "key", ["c.** It is so", "(c)** It is so", "b)* It is so", "C**: it is so"]
)
def test_a_letter_answers_no_question_without_options(key):
    text = f"1. What of the Nile?\n\n**Answer: {key}\n\n2. And of the Volga?\n\n**Answer: {key}\n"
    parsed_file = read(text)
    assert not any(item.status in CLEAN for item in parsed_file.items)
    assert {code for item in parsed_file.items for code in list_codes(item)} == {"options_missing"}


def test_a_letter_above_other_words_answers_none_either():
    pages = "".join(f"**Q{at}:** What of it?\n\n**Correct:** {at:c}\n\n" for at in (65, 66))
    assert not any(item.status in CLEAN for item in read(f"{pages}---\n*A bot*\n").items)
