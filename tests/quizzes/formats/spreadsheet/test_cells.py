"""Lists, pairs and numbers in one cell are read as people write them; nothing is guessed."""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.numeric.exact import parse_exact
from quizzes.formats.builders import Number
from quizzes.formats.spreadsheet.cells import (
    ListEntry,
    parse_entries,
    parse_number,
    parse_pair,
    parse_share,
    parse_shares,
    write_entries,
    write_number,
    write_share,
)
from tests.cpu_time import measure_cpu

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", []),
        (" ; ;\n", []),
        ("Madrid", [ListEntry("Madrid")]),
        (
            "Madrid; la Villa y Corte=50%",
            [ListEntry("Madrid"), ListEntry("la Villa y Corte", HALF)],
        ),
        ("a\nb", [ListEntry("a"), ListEntry("b")]),
        ('"a; b"=50%; c', [ListEntry("a; b", HALF), ListEntry("c")]),
        ('"say ""so"""', [ListEntry('say "so"')]),
        ('"a=50%"', [ListEntry("a=50%")]),
        ('5" pipe', [ListEntry('5" pipe')]),
        ('"a" and b', [ListEntry('"a" and b')]),
        ('"open', [ListEntry('"open')]),
        ("x = 33.33333 %", [ListEntry("x", Fraction(1, 3))]),
        ("x=1/3%", [ListEntry("x", Fraction(1, 3))]),
        ("e=mc", [ListEntry("e=mc")]),
        ("x=,%", [ListEntry("x")]),
    ],
)
def test_a_list_is_parted(cell, expected):
    assert list(parse_entries(cell)) == expected


CREDITS = st.fractions(0, 1, max_denominator=1000)
TEXTS = st.text('ab "=;%5\n/', min_size=1).filter(str)


@given(st.lists(st.builds(ListEntry, TEXTS, CREDITS), max_size=4))
def test_lists_are_read_back_as_they_were(every):
    assert list(parse_entries(write_entries(every))) == every


@given(st.fractions(-2, 2, max_denominator=500))
def test_shares_are_read_back_as_they_were(value):
    assert parse_share(write_share(value)) == value


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
    assert write_share(value) == text


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
        ({"a": "half", "b": "1/0", "c": "50"}, {"c": HALF}),
        ({}, {}),
    ],
)
def test_weights_of_a_row_are_read_together(texts, expected):
    assert parse_shares(texts) == expected


def test_lists_made_to_hurt_end_at_once():
    for cell in ('"' * 200_000, '";' * 100_000, '"a' * 100_000, '""";' * 80_000, ";" * 300_000):
        assert measure_cpu(partial(list, parse_entries(cell))) < 1


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
    assert parse_pair(cell) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.14", Number("3.14")),
        (" 3,14 ", Number("3.14")),
        ("-2", Number("-2")),
        ("−2", Number("-2")),
        ("1/3", Number("1/3")),
        ("1.2e-3", Number("1.2e-3")),
        ("0,125", Number("0.125")),
        ("3.14 ± 0.01", Number("3.14", "absolute", "0.01")),
        ("3,14±0,01", Number("3.14", "absolute", "0.01")),
        ("20 +/- 5 %", Number("20", "relative", "0.05")),
        ("20 +- 2", Number("20", "absolute", "2")),
        ("1..5", Number("1", "range", "5")),
        ("-1,5 … 1,5", Number("-1.5", "range", "1.5")),
    ],
)
def test_a_number_is_read(text, expected):
    assert parse_number(text) == expected


@pytest.mark.parametrize(
    "text", ["", "ten", "1,234", "1.234,5", "9.81 m/s", "5..1", "1..", "3 ± -1", "3 ±", "1e999"]
)
def test_what_is_none_or_may_mean_two_things_is_not(text):
    assert parse_number(text) is None


DECIMALS = st.decimals(-1000, 1000, places=3).map(str)
MARGINS = st.decimals(0, 10, places=4).map(str)


@given(DECIMALS, st.sampled_from(["exact", "absolute", "relative"]), MARGINS)
def test_numbers_are_read_back_as_they_were(value, tolerance, margin):
    number = parse_number(write_number(value, tolerance, margin))
    assert number
    assert (number.text, number.tolerance) == (value, tolerance)
    assert tolerance == "exact" or parse_exact(number.margin) == parse_exact(margin)


def test_tolerances_without_a_form_are_not_written():
    assert write_number("3", "digits", "2") == ""
    assert write_number("3", "relative", "much") == ""
    assert write_number("1", "range", "2") == "1..2"
