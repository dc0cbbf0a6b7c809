"""Quizzes as public repositories write them: each shape found, its key right, none in pieces."""

import re

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.public_shapes import QUIZ, SHAPES, TRANSPORTS, write_quiz
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
_MARKUP = re.compile(r"[\s*`\\\u00a0]+")


def read(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "quiz.md", language="en")


def simplify(text: str) -> str:
    return _MARKUP.sub(" ", text).strip()


def has_words(item: SourceItem, prompt: str, options: tuple[str, ...]) -> bool:
    texts = [simplify(text) for text, _ in list_options(item)]
    # A letter or a line below may stay with an option, another option may not.
    complete = all(
        option in text and len(text) < len(option) + 12
        for option, text in zip(options, texts, strict=True)
    )
    return complete and prompt in simplify(get_text(item))


def test_there_are_many_shapes():
    assert len(SHAPES) >= 60


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_question_is_found_with_its_key_and_not_in_pieces(shape, transport):
    data = TRANSPORTS[transport](write_quiz(SHAPES[shape]))
    items = parse_upload(data, "quiz.md").items
    assert [item.status in CLEAN for item in items] == [True] * len(QUIZ)
    for item, (prompt, options, right) in zip(items, QUIZ, strict=True):
        keys = [is_right for _, is_right in list_options(item)]
        assert keys == [at in right for at in range(len(options))]
        assert has_words(item, prompt, tuple(options))


def test_a_key_in_bold_is_told_and_one_that_is_named_is_not():
    bold = read(write_quiz(SHAPES["mark bold"])).items
    assert [list_codes(item) for item in bold] == [["bold_as_key"]] * len(QUIZ)
    named = read(write_quiz(SHAPES["key ans:-"])).items
    assert [list_codes(item) for item in named] == [[]] * len(QUIZ)


def test_a_list_without_a_key_is_for_a_person_and_not_ticked():
    text = write_quiz(SHAPES["key ans:-"]).replace("ans:- A", "", 1)
    items = read(text).items
    assert [item.status in CLEAN for item in items] == [True, False, True, True]
    assert (list_codes(items[1]), items[1].is_damaged) == (["key_unknown"], True)


def test_what_is_beside_a_key_explains_it():
    items = read(write_quiz(SHAPES["box, below: reasoning"])).items
    assert get_text(items[2], "explanation") == "**Reasoning:** it is so in case 3."
    text = "1. Which?\n\nA. one\nB. two\n\nans:- B since one is none\n"
    (item,) = read(text).items
    assert list_options(item) == [("one", False), ("two", True)]
    assert get_text(item, "explanation") == "since one is none"


@pytest.mark.parametrize("key", ["Answer: B", "**Answer:** B"])
def test_a_question_without_options_is_not_swallowed_by_its_neighbour(key):
    options = f"A. one\nB. two\n\n{key}\n\n"
    text = f"1. Which?\n\n{options}2. Describe the map.\n\n3. Which now?\n\n{options}"
    items = read(text).items
    assert [item.status for item in items] == [
        ImportStatus.IMPORTED,
        ImportStatus.REFUSED,
        ImportStatus.IMPORTED,
    ]
    assert list_codes(items[1]) == ["options_missing"]
    assert [get_text(item) for item in (items[0], items[2])] == ["Which?", "Which now?"]


def test_a_page_of_plain_lists_is_no_quiz():
    text = "# Notes\n\n- **Bold** words\n- others\n\nA. Smith wrote it.\n\n1. first\n2. second\n"
    with pytest.raises(Exception, match="format_unknown"):
        parse_upload(text.encode(), "notes.md")
