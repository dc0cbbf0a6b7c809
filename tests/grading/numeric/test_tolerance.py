"""Near enough, exactly: bounds are inclusive, and 0.1 + 0.2 is 0.3."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import Target, magnitude, round_to_digits

NUMBERS = st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**6)


def meets(number, value, tolerance, margin="0"):
    return Target(parse_exact(value), tolerance, parse_exact(margin)).meets(parse_exact(number))


@pytest.mark.parametrize(
    ("number", "value", "tolerance", "margin", "met"),
    [
        ("0.3", "0.3", "exact", "0", True),
        ("0.30000000000000004", "0.3", "exact", "0", False),
        ("0.3", "0.2", "absolute", "0.1", True),
        ("0.1", "0.2", "absolute", "0.1", True),
        ("0.30000000000000001", "0.2", "absolute", "0.1", False),
        ("-0.3", "-0.2", "absolute", "0.1", True),
        ("105", "100", "relative", "0.05", True),
        ("95", "100", "relative", "0.05", True),
        ("105.0000001", "100", "relative", "0.05", False),
        ("-105", "-100", "relative", "0.05", True),
        ("0", "0", "relative", "0.5", True),
        ("0.0000001", "0", "relative", "0.5", False),
        ("1", "1", "range", "2", True),
        ("2", "1", "range", "2", True),
        ("2.01", "1", "range", "2", False),
        ("0.99", "1", "range", "2", False),
        ("3.142", "3.14159", "digits", "3", True),
        ("3.1", "3.14159", "digits", "3", False),
        ("3.135", "3.14159", "digits", "3", True),
        ("3.145", "3.14159", "digits", "3", False),
        ("-3.14", "-3.14159", "digits", "3", True),
        ("9.996", "10", "digits", "3", True),
        ("1234567", "1230000", "digits", "3", True),
        ("0", "0", "digits", "3", True),
        ("0.001", "0", "digits", "3", False),
    ],
)
def test_a_number_is_near_enough_or_it_is_not(number, value, tolerance, margin, met):
    assert meets(number, value, tolerance, margin) == met


@pytest.mark.parametrize(
    ("number", "rough"), [("2.5", "3"), ("3.5", "4"), ("-2.5", "-3"), ("2.4", "2")]
)
def test_halves_are_rounded_away_from_zero(number, rough):
    assert round_to_digits(parse_exact(number), 1) == parse_exact(rough)


@pytest.mark.parametrize(
    ("number", "power"),
    [
        ("1", 0),
        ("9.99", 0),
        ("10", 1),
        ("0.1", -1),
        ("1/3", -1),
        ("-250", 2),
        ("0", 0),
        ("99/100", -1),
    ],
)
def test_the_magnitude_is_the_power_of_the_first_digit(number, power):
    assert magnitude(parse_exact(number)) == power


@given(NUMBERS, st.integers(1, 12))
def test_a_rounded_number_is_off_by_half_a_digit_at_most(number, digits):
    near = round_to_digits(number, digits)
    assert abs(near - number) * 2 <= Fraction(10) ** (magnitude(number) - digits + 1)
    assert round_to_digits(near, digits) == near


@given(NUMBERS, NUMBERS, st.integers(1, 6))
def test_what_meets_a_number_of_digits_lies_within_its_bounds(number, value, digits):
    target = Target(value, "digits", Fraction(digits))
    low, high = target.bounds
    assert low <= value <= high
    if target.meets(number):
        assert low <= number <= high


@pytest.mark.parametrize(
    ("value", "digits", "lacks"),
    [
        ("3.14", 2, True),
        ("3.14", 3, False),
        ("3.14", 9, False),
        ("3.14", 0, False),
        ("0", 1, False),
    ],
)
def test_too_few_written_digits_are_noticed(value, digits, lacks):
    assert Target(parse_exact(value), "digits", Fraction(3)).lacks_digits(digits) == lacks


def test_only_who_asks_for_digits_counts_them():
    assert not Target(parse_exact("3.14"), "absolute", Fraction(3)).lacks_digits(1)


@pytest.mark.parametrize(
    ("number", "value", "tolerance", "margin", "met"),
    [
        # QTI `equal`, absolute: from value - t to value + t; relative: t per cent of the value
        ("9.9", "10", "absolute", "0.1", True),
        ("10.1", "10", "absolute", "0.1", True),
        ("9.8999", "10", "absolute", "0.1", False),
        ("9.9", "10", "relative", "1/100", True),
        ("-10.1", "-10", "relative", "1/100", True),
        ("10.11", "10", "relative", "1/100", False),
        # QTI `equalRounded` with three significant figures: 3.18 and 3.18, 3.17 and 3.18
        ("3.175", "3.183", "digits", "3", True),
        ("3.1749", "3.183", "digits", "3", False),
    ],
)
def test_tolerances_agree_with_the_public_definitions(number, value, tolerance, margin, met):
    assert meets(number, value, tolerance, margin) == met
