"""Authors' numbers: one strict form, exact, and never so large that it is slow."""

from fractions import Fraction

import pytest

from grading.numeric.exact import parse_exact, scale_decimal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", Fraction(12)),
        (" -0.5 ", Fraction(-1, 2)),
        ("+1.20", Fraction(6, 5)),
        ("1.2e-3", Fraction(3, 2500)),
        ("6.02E23", Fraction(602 * 10**21)),
        ("22/7", Fraction(22, 7)),
        ("-1 / 3", Fraction(-1, 3)),
        ("1e400", Fraction(10**400)),
        ("0e-400", Fraction(0)),
    ],
)
def test_a_number_of_an_author_is_read_exactly(text, value):
    assert parse_exact(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1,5",
        "1.",
        ".5",
        "1 000",
        "1/0",
        "1/-3",
        "1/2/3",
        "1.5/2",
        "1e401",
        "1e-401",
        "1e5e5",
        "0x10",
        "NaN",
        "inf",
        "١",
        "1_000",
        "½",
        "5 m",
        "9" * 61,
        "1/" + "9" * 60,
        "--1",
    ],
)
def test_anything_else_is_no_number_of_an_author(text):
    with pytest.raises(ValueError, match=r"not a number|too far"):
        parse_exact(text)


def test_digits_and_a_power_of_ten_give_a_number():
    assert scale_decimal("12", "34", "-1") == Fraction(1234, 1000)
    assert scale_decimal("12", "34", "2") == 1234
