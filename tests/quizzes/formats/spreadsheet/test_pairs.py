"""Pairs in one cell of a spreadsheet."""

import pytest

from quizzes.formats.spreadsheet.pairs import pair


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("France => Paris", ("France", "Paris")),
        ("France->Paris", ("France", "Paris")),
        ("=> Madrid", ("", "Madrid")),
        ("France", None),
        ("a => b => c", None),
        ("a => => b", None),
        ("a  ->   ⇒ b", None),
    ],
)
def test_a_pair_has_one_arrow(cell, expected):
    assert pair(cell) == expected
