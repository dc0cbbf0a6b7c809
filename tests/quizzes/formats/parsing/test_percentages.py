"""Percentages as files round them."""

from fractions import Fraction

import pytest

from quizzes.formats.parsing.percentages import (
    find_simple_fraction,
    parse_decimal,
    parse_percentage,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("100", Fraction(1)),
        ("33.33333", Fraction(1, 3)),
        ("-33.33333", Fraction(-1, 3)),
        ("66.667 %", Fraction(2, 3)),
        ("16.66667", Fraction(1, 6)),
        ("14.28571", Fraction(1, 7)),
        ("5", Fraction(1, 20)),
        ("0", Fraction(0)),
        ("12.3456", Fraction(123_456, 1_000_000)),
        ("33", Fraction(33, 100)),
        ("33.3", Fraction(1, 3)),
    ],
)
def test_a_rounded_percentage_is_the_fraction_it_stands_for(text, value):
    assert parse_percentage(text) == value


@pytest.mark.parametrize("text", ["", "half", "1e9", "1/3", "nan", "1" * 40])
def test_what_is_no_plain_number_is_none(text):
    assert parse_percentage(text) is None
    assert parse_decimal(text) is None


def test_only_what_was_rounded_is_snapped():
    step = Fraction(1, 1000)
    assert find_simple_fraction(Fraction(333, 1000), step) == Fraction(1, 3)
    assert find_simple_fraction(Fraction(330, 1000), step) == Fraction(33, 100)
