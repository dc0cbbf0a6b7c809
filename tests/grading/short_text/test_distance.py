"""Slips: how far apart two texts are, counted only as far as it matters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.short_text.distance import _distance, is_typo


@pytest.mark.parametrize(
    ("text", "meant", "expected"),
    [
        ("pariss", "paris", True),
        ("pars", "paris", True),
        ("parsi", "paris", True),
        ("pares", "paris", True),
        ("prs", "paris", False),
        ("photosintesys", "photosynthesis", False),
        ("fotosynthesis", "photosynthesis", True),
        ("photosynthseis", "photosynthesis", True),
        ("cat", "car", False),
        ("cat", "cat", True),
        ("word", "ward", True),
        ("", "word", False),
        ("marseille", "paris", False),
    ],
)
def test_a_long_word_forgives_two_slips_a_short_one_fewer(text, meant, expected):
    assert is_typo(text, meant) is expected


def whole(first, other):
    """Count the slips by the whole table, with nothing left out."""
    table = {(row, 0): row for row in range(len(first) + 1)}
    table |= {(0, column): column for column in range(len(other) + 1)}
    for row in range(1, len(first) + 1):
        for column in range(1, len(other) + 1):
            table[row, column] = min(
                table[row - 1, column] + 1,
                table[row, column - 1] + 1,
                table[row - 1, column - 1] + (first[row - 1] != other[column - 1]),
            )
            if row > 1 < column and first[row - 2 : row] == other[column - 2 : column][::-1]:
                swapped = table[row - 2, column - 2] + 1
                table[row, column] = min(table[row, column], swapped)
    return table[len(first), len(other)]


@given(st.text("abc", max_size=7), st.text("abc", max_size=7), st.integers(0, 3))
def test_what_lies_near_is_counted_as_if_everything_were(first, other, limit):
    assert min(_distance(first, other, limit), limit + 1) == min(whole(first, other), limit + 1)
