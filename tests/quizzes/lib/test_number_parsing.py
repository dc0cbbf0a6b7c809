"""Numbers out of what anybody sent."""

from fractions import Fraction

import pytest

from quizzes.lib.number_parsing import parse_count, parse_points


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0), ("7", 7), ("998", 998), ("999", 998), ("1000", 5)]
    + [(text, 5) for text in ("", " 7", "-1", "+1", "1.0", "1_0", "٣", "²", "x", "9" * 5000)],
)
def test_only_plain_digits_within_bounds_are_a_number(text, expected):
    assert parse_count(text, maximum=998, default=5) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("2,5", Fraction(5, 2)),
        (" 2 1/3 ", Fraction(7, 3)),
        ("7/3", Fraction(7, 3)),
        ("3", 3),
        ("3.01", None),
        ("-1", None),
        ("1e0", None),
        ("1_0", None),
        ("1/0", None),
        ("", None),
        ("two", None),
        ("1" * 41, None),
    ],
)
def test_points_are_exact_and_within_the_points_there_are(text, expected):
    assert parse_points(text, maximum=Fraction(3)) == expected
