"""Lists of boxes without a blank line between them, and lines of colons around them."""

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "quiz.md", language="en")


def list_keys(parsed_file: ParsedFile) -> list[tuple[int, list[int]]]:
    """Return of each question how many options it has, and the places of the right ones."""
    keys = [[is_right for _, is_right in list_options(item)] for item in parsed_file.items]
    return [(len(each), [at for at, is_right in enumerate(each) if is_right]) for each in keys]


RIVERS = "- [x] the Duero\n- [ ] the Nile\n- [ ] the Volga\n"


@pytest.mark.parametrize(
    "words",
    [
        "A river of Africa is called ...",
        "The longest river of Africa is the …",
        "The river of Cairo is the ____",
        "Which river is in Africa?",
        "A river of Africa:",
    ],
)
def test_words_that_lead_up_to_boxes_begin_a_question_without_a_blank_line(words):
    text = f"A river of Spain is\n{RIVERS}{words}\n- [ ] the Ebro\n- [x] the Nile\n"
    parsed_file = read(text)
    assert list_keys(parsed_file) == [(3, [0]), (2, [1])]
    assert get_text(parsed_file.items[1]) == words
    assert [item.status for item in parsed_file.items] == [ImportStatus.IMPORTED] * 2


def test_a_statement_right_above_true_and_false_begins_a_question():
    text = f"A river of Spain is\n{RIVERS}The Nile is in Africa.\n- [x] true\n- [ ] false\n"
    parsed_file = read(text)
    assert list_keys(parsed_file) == [(3, [0]), (2, [0])]
    assert get_text(parsed_file.items[1]) == "The Nile is in Africa."


def test_other_words_between_two_lists_with_a_key_each_are_for_a_person():
    text = f"A river of Spain is\n{RIVERS}Now one of Africa.\n- [ ] the Ebro\n- [x] the Nile\n"
    (item,) = read(text).items
    assert item.status is ImportStatus.REVIEW
    assert "several_keyed_lists" in list_codes(item)


@pytest.mark.parametrize(
    ("option", "rest"), [("a long river", "of the north"), ("a river that flows", "West to Porto")]
)
def test_an_option_goes_on_in_the_next_line(option, rest):
    text = f"Which are rivers?\n\n- [x] the Duero\n- [ ] {option}\n{rest}\n- [ ] a lake\n"
    (item,) = read(text).items
    assert item.status in CLEAN
    assert [text for text, _ in list_options(item)] == ["the Duero", f"{option}\n{rest}", "a lake"]
    text = (
        f"Which are rivers?\n\n- [x] the Duero\n- [ ] a {option}\nof it\n- [x] it\n- [ ] a lake\n"
    )
    (item,) = read(text).items
    assert (item.status in CLEAN, len(list_options(item))) == (True, 4)


@pytest.mark.parametrize("opening", [":::quiz", "::: mc inline=true", ':::: {.task points="2"}'])
def test_lines_of_colons_around_boxes_are_no_words(opening):
    closing = opening.split("q")[0].split(" ")[0].rstrip("quizmc{")
    text = f"{opening}\nA river of Spain is\n{RIVERS}{closing}\n\n{opening}\nOne of Africa is\n"
    text += f"- [ ] the Ebro\n- [x] the Nile\n{closing}\n"
    parsed_file = read(text)
    assert list_keys(parsed_file) == [(3, [0]), (2, [1])]
    assert [get_text(item) for item in parsed_file.items] == [
        "A river of Spain is",
        "One of Africa is",
    ]
    assert list_options(parsed_file.items[0])[-1] == ("the Volga", False)
    assert not any(item.remainder for item in parsed_file.items)
