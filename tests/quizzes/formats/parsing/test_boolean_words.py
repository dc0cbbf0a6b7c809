"""True and false are read in five languages."""

import pytest

from quizzes.formats.parsing.boolean_words import parse_boolean


@pytest.mark.parametrize(
    ("text", "expected"),
    [("True", True), (" falso. ", False), ("Vrai", True), ("FALSCH", False), ("Perhaps", None)],
)
def test_true_and_false_are_told_from_other_words(text, expected):
    assert parse_boolean(text) is expected


def test_a_letter_says_it_only_where_letters_are_no_keys():
    assert parse_boolean("F") is None
    assert parse_boolean("F", letters=True) is False
