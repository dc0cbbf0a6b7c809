"""Lists in one cell, and shares, are read back as they were written."""

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats.spreadsheet.entries import Entry, entries, listed, share, share_of, shares_of

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", []),
        (" ; ;\n", []),
        ("Madrid", [Entry("Madrid")]),
        ("Madrid; la Villa y Corte=50%", [Entry("Madrid"), Entry("la Villa y Corte", HALF)]),
        ("a\nb", [Entry("a"), Entry("b")]),
        ('"a; b"=50%; c', [Entry("a; b", HALF), Entry("c")]),
        ('"say ""so"""', [Entry('say "so"')]),
        ('"a=50%"', [Entry("a=50%")]),
        ('5" pipe', [Entry('5" pipe')]),
        ('"a" and b', [Entry('"a" and b')]),
        ('"open', [Entry('"open')]),
        ("x = 33.33333 %", [Entry("x", Fraction(1, 3))]),
        ("x=1/3%", [Entry("x", Fraction(1, 3))]),
        ("e=mc", [Entry("e=mc")]),
        ("x=,%", [Entry("x")]),
    ],
)
def test_a_list_is_parted(cell, expected):
    assert list(entries(cell)) == expected


CREDITS = st.fractions(0, 1, max_denominator=1000)
TEXTS = st.text('ab "=;%5\n/', min_size=1).filter(str)


@given(st.lists(st.builds(Entry, TEXTS, CREDITS), max_size=4))
def test_lists_are_read_back_as_they_were(every):
    assert list(entries(listed(every))) == every


@given(st.fractions(-2, 2, max_denominator=500))
def test_shares_are_read_back_as_they_were(value):
    assert share_of(share(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (HALF, "50%"),
        (Fraction(1, 3), "33.33333%"),
        (Fraction(-1), "-100%"),
        (Fraction(1, 31), "1/31%"),
        (Fraction(0), "0%"),
    ],
)
def test_shares_are_written_as_people_read_them(value, text):
    assert share(value) == text


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"a": "33.33333", "b": "66,66667"}, {"a": Fraction(1, 3), "b": Fraction(2, 3)}),
        ({"a": "0.5", "b": "-0.5"}, {"a": HALF, "b": -HALF}),
        ({"a": "1", "b": "0"}, {"a": Fraction(1), "b": Fraction(0)}),
        ({"a": "0,333"}, {"a": Fraction(1, 3)}),
        ({"a": "100", "b": "0.5"}, {"a": Fraction(1), "b": Fraction(1, 200)}),
        ({"a": "1%"}, {"a": Fraction(1, 100)}),
        ({"a": "1/3", "b": "2 / 3 %"}, {"a": Fraction(1, 3), "b": Fraction(2, 3)}),
        ({"a": "half", "b": "1/0"}, {"a": None, "b": None}),
        ({}, {}),
    ],
)
def test_weights_of_a_row_are_read_together(texts, expected):
    assert shares_of(texts) == expected


def test_lists_made_to_hurt_end_at_once():
    for cell in ('"' * 200_000, '";' * 100_000, '"a' * 100_000, '""";' * 80_000, ";" * 300_000):
        began = time.process_time()
        list(entries(cell))
        assert time.process_time() - began < 2
