"""Numbers written for people are read back as the same numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.numeric.exact import parse_exact
from grading.numeric.formatting import format_number
from grading.numeric.numerals import parse_numeral


@pytest.mark.parametrize(
    ("number", "digits", "english", "spanish"),
    [
        ("0", 0, "0", "0"),
        ("0", 3, "0", "0"),
        ("3.14", 0, "3.14", "3,14"),
        ("-1234.5", 0, "-1234.5", "-1234,5"),
        ("1200", 2, "1200", "1200"),
        ("2", 3, "2.00", "2,00"),
        ("0.5", 2, "0.50", "0,50"),
        ("1/3", 3, "1/3", "1/3"),
        ("-22/7", 0, "-22/7", "-22/7"),
        ("0.00001", 0, "0.00001", "0,00001"),
        ("0.0000015", 0, "1.5·10^-6", "1,5·10^-6"),
        ("6.02e23", 0, "6.02·10^23", "6,02·10^23"),
        ("1e20", 3, "1.00·10^20", "1,00·10^20"),
        ("1e20", 0, "1·10^20", "1·10^20"),
    ],
)
def test_a_number_is_written_with_the_mark_of_the_language(number, digits, english, spanish):
    assert format_number(parse_exact(number), "en", digits) == english
    assert format_number(parse_exact(number), "es", digits) == spanish
    assert format_number(parse_exact(number), "tlh", digits) == english


FINITE = st.builds(
    "{}{}e{}".format,
    st.sampled_from(["", "-"]),
    st.integers(0, 10**9),
    st.integers(-30, 30),
)


@given(
    FINITE | st.fractions(max_denominator=10**9).map(str),
    st.sampled_from(["en", "es"]),
    st.integers(0, 9),
)
def test_what_is_written_is_read_as_the_same_number_with_digits_enough(text, language, digits):
    number = parse_exact(text)
    read = parse_numeral(format_number(number, language, digits), language)
    assert read.number == number
    assert read.unit == ""
    assert not number or read.digits == 0 or read.digits >= digits
