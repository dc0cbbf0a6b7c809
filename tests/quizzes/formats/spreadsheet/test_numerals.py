"""Numbers with their tolerance are read as people write them, and nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.numeric.exact import parse_exact
from quizzes.formats.builders import Number
from quizzes.formats.spreadsheet.numerals import number, numeral


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
    assert number(text) == expected


@pytest.mark.parametrize(
    "text", ["", "ten", "1,234", "1.234,5", "9.81 m/s", "5..1", "1..", "3 ± -1", "3 ±", "1e999"]
)
def test_what_is_none_or_may_mean_two_things_is_not(text):
    assert number(text) is None


DECIMALS = st.decimals(-1000, 1000, places=3).map(str)
MARGINS = st.decimals(0, 10, places=4).map(str)


@given(DECIMALS, st.sampled_from(["exact", "absolute", "relative"]), MARGINS)
def test_what_is_written_is_read_back(value, tolerance, margin):
    found = number(numeral(value, tolerance, margin))
    assert found
    assert (found.value, found.tolerance) == (value, tolerance)
    assert tolerance == "exact" or parse_exact(found.margin) == parse_exact(margin)


def test_tolerances_without_a_form_are_not_written():
    assert numeral("3", "digits", "2") == ""
    assert numeral("3", "relative", "much") == ""
    assert numeral("1", "range", "2") == "1..2"
