"""Whole numbers out of what anybody sent."""

import pytest

from quizzes.lib.number_parsing import parse_count


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0), ("7", 7), ("998", 998), ("999", 998), ("1000", 5)]
    + [(text, 5) for text in ("", " 7", "-1", "+1", "1.0", "1_0", "٣", "²", "x", "9" * 5000)],
)
def test_only_plain_digits_within_bounds_are_a_number(text, expected):
    assert parse_count(text, maximum=998, default=5) == expected
