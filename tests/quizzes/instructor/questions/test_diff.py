"""What changed between two states of a question, word by word."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.instructor.questions.diff import GONE, NEW, SAME, diff_documents, diff_words
from tests.factories import choice_document

IDS = {"a": "id-a", "b": "id-b"}
NAMES = {id_: name for name, id_ in IDS.items()}


def told(before: str, after: str) -> list[tuple[str, str]]:
    return [(piece.fate, piece.text) for piece in diff_words(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("one two", "one two", [(SAME, "one two")]),
        ("one two", "one three", [(SAME, "one "), (GONE, "two"), (NEW, "three")]),
        ("one", "one two", [(SAME, "one"), (NEW, " two")]),
        ("", "new", [(NEW, "new")]),
        ("old", "", [(GONE, "old")]),
        ("a\nb", "a b", [(SAME, "a"), (GONE, "\n"), (NEW, " "), (SAME, "b")]),
    ],
)
def test_words_that_stayed_went_and_came(before, after, expected):
    assert told(before, after) == expected


@given(st.text(), st.text())
def test_both_texts_can_be_read_off_the_pieces(before, after):
    pieces = diff_words(before, after)
    assert "".join(p.text for p in pieces if p.fate != NEW) == before
    assert "".join(p.text for p in pieces if p.fate != GONE) == after


def test_only_parts_that_changed_are_named_with_their_language():
    before = choice_document(IDS, right="a", kind="single_choice", scoring_method="", name="q")
    after = replace(
        before,
        key={"right": ["id-b"]},
        words={**before.words, "es": {**before.words["es"], "prompt": "¿Otra?"}},
    )
    changed_parts = {
        (difference.part, difference.language)
        for difference in diff_documents(before, after, NAMES)
    }
    assert changed_parts == {("Options: Correct", ""), ("Prompt", "Español")}


def test_a_question_does_not_differ_from_itself():
    item = choice_document(IDS, right="a", kind="single_choice", scoring_method="", name="q")
    assert diff_documents(item, item, NAMES) == ()
