"""Numerals as people write them: alike in every language wherever they can only mean one number."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.numeric.numeral_error import NumeralError
from grading.numeric.numerals import MAX_LENGTH, Numeral, Readings, find_readings, parse_numeral
from grading.numeric.separators import DECIMAL, THOUSANDS
from tests.cpu_time import measure_cpu
from tests.grading.examples import EXAMPLES, load

LANGUAGES = ("en", "es", "", "de")


def read(typed, language="en"):
    return parse_numeral(typed, language).number


def refused(typed, language="en"):
    with pytest.raises(NumeralError) as caught:
        parse_numeral(typed, language)
    return caught.value.code


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("5", 5),
        ("-5", -5),
        ("− 5", -5),
        ("+5", 5),
        ("007", 7),
        ("3.14", Fraction(157, 50)),
        ("3,14", Fraction(157, 50)),
        (".5", Fraction(1, 2)),
        (",5", Fraction(1, 2)),
        ("5.", 5),
        ("5,", 5),
        ("0.123", Fraction(123, 1000)),
        ("0,123", Fraction(123, 1000)),
        ("1234.567", Fraction(1234567, 1000)),
        ("3.1416", Fraction(31416, 10000)),
        ("1,234.5", Fraction(2469, 2)),
        ("1.234,5", Fraction(2469, 2)),
        ("1 234,5", Fraction(2469, 2)),
        ("1\u202f234.567", Fraction(1234567, 1000)),
        ("1'234.567", Fraction(1234567, 1000)),
        ("1,234,567", 1234567),
        ("1.234.567", 1234567),
        ("1'234'567", 1234567),
        ("12 345 678", 12345678),
        ("1,234,567.891", Fraction(1234567891, 1000)),
        ("1.234e3", 1234),
        ("1,234e3", 1234),
        ("-1,234·10^3", -1234),
        ("1.234 x 10^-3", Fraction(1234, 10**6)),
        ("1,234,567e3", 1234567000),
        ("1.234,5e3", 1234500),
        ("1 234e3", 1234000),
        ("1e5", 100000),
        ("1.2E-3", Fraction(3, 2500)),
        ("1,2·10^5", 120000),
        ("1.2×10⁵", 120000),
        ("1.2*10^5", 120000),
        ("1.2 x 10^-3", Fraction(3, 2500)),
        ("1.2*10**5", 120000),
        ("10^5", 100000),
        ("-10⁻²", Fraction(-1, 100)),
        ("1/3", Fraction(1, 3)),
        ("-1 / 3", Fraction(-1, 3)),
        ("6/3", 2),
        ("1 1/2", Fraction(3, 2)),
        ("-1½", Fraction(-3, 2)),
        ("¾", Fraction(3, 4)),
    ],
)
def test_what_can_only_be_one_number_is_that_in_every_language(typed, number, language):
    assert read(typed, language) == number


@pytest.mark.parametrize(
    ("typed", "english", "spanish"),
    [
        ("1.234", Fraction(1234, 1000), 1234),
        ("1,234", 1234, Fraction(1234, 1000)),
        ("-12,345", -12345, Fraction(-12345, 1000)),
        ("12.345e3", 12345, 12345000),
        ("12,345·10^3", 12345000, 12345),
    ],
)
def test_one_mark_before_three_digits_is_read_by_the_language(typed, english, spanish):
    assert read(typed, "en") == english
    assert read(typed, "es") == spanish
    assert refused(typed, "") == refused(typed, "de") == "ambiguous_number"


def test_one_apostrophe_groups_thousands_in_english_alone():
    assert read("1'234", "en") == 1234
    assert read("1'234e3", "en") == 1234000
    assert refused("1'234", "es") == refused("1'234e3", "es") == "ambiguous_number"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "five",
        "x = 5",
        "5 + 3",
        "5 - 3",
        "3 or 4",
        "3; 4",
        "3 4",
        "--5",
        "-$-5",
        "5-",
        "5..",
        "5:3",
        "1.2.3",
        "1,23,456",
        "1,2,3",
        "1.234'567",
        "1,234 567",
        "0,123,456",
        "1234,567.8",
        "1 2345",
        "12 34.5",
        "3'14",
        "1e5,3",
        "1/2/3",
        "1.5/2",
        "1/2.5",
        "1 5/3",
        "1 000/3",
        "1 0/5",
        "2^3",
        "5²",
        "²",
        "1_000",
        "∞",
        "٣",
        "½½",
        "\x00",
        "5\x00",
        "5 m\ud800",
        "5 m\x07",
        "1.2·10",
        "1/-3 m",
        "1/-3",
        "1/+3",
        "1/",
        "1/m",
        "5 /s",
        "1/3/s",
        "1e",
        "1 e",
        "1E",
        "1e-",
        "1e+ 3",
        "1 e3",
        "1e 3",
        "1e.5",
        "1e^5",
        "1e/3",
        "1e5e3",
        "1/3e5",
        "1.2x10",
        "1.2x10^",
        "1.2x 10^m",
    ],
)
def test_what_is_no_number_is_not_read(typed):
    assert {refused(typed, language) for language in LANGUAGES} <= {"not_a_number"}


def test_a_number_may_not_be_divided_by_zero():
    assert refused("1/0") == refused("1 1/00") == "zero_denominator"


@pytest.mark.parametrize(
    "typed", ["1e401", "1e-999999999", "0e999999999", "10^401", "2·10^" + "9" * 80]
)
def test_too_great_a_power_is_not_read(typed):
    assert refused(typed) == "exponent_too_large"


def test_the_greatest_power_is_read():
    assert read("1e400") == 10**400


@pytest.mark.parametrize("typed", ["9" * 10_000, "1 " * 5_000, "1e" + "9" * 10_000, "1" * 101])
def test_a_numeral_without_end_is_refused_at_once(typed):
    assert refused(typed) == "number_too_long"
    assert measure_cpu(lambda: refused(typed), tries=3) < 0.1


@pytest.mark.parametrize(
    "piece", ["1", "1,", "1 ", "1/", "1 1/", "e", "1e", "m ", "1'", "10^", " ", "½"]
)
def test_the_longest_numeral_of_any_make_is_judged_at_once(piece):
    typed = (piece * MAX_LENGTH)[:MAX_LENGTH]

    def parse() -> None:
        with suppress(NumeralError):
            parse_numeral(typed, "en")

    assert measure_cpu(parse, tries=3) < 0.1


@pytest.mark.parametrize(
    ("typed", "digits"),
    [
        ("3.14", 3),
        ("3.140", 4),
        ("0.0050", 2),
        ("1200", 4),
        ("1.20e3", 3),
        ("1,200.0", 5),
        ("0", 1),
        ("0.00", 1),
        ("10^5", 1),
        ("1/3", 0),
        ("½", 0),
    ],
)
def test_the_digits_that_count_are_counted_as_written(typed, digits):
    assert parse_numeral(typed, "en").digits == digits


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("5 m", "m"),
        ("5m", "m"),
        ("5 °C", "°C"),
        ("5ºC", "°C"),
        ("5 m/s²", "m/s^2"),
        ("5 m / s ^ 2", None),
        ("5 %", "%"),
        ("1/3 %", "%"),
        ("5 €", "€"),
        ("€ 5", "€"),
        ("-$5", "$"),
        ("$-5", "$"),
        ("5 s^-1", "s^-1"),
        ("2 e/m", "e/m"),
        ("2 e·Å", "e*Å"),
        ("5 Eh", "Eh"),
        ("3 euros", "euros"),
        ("1.2e3 e/m", "e/m"),
        ("5 kg·m/s²", "kg*m/s^2"),
        ("5 J/(mol K)", "J/(molK)"),
        ("5'", "'"),
        ("2 eV", "eV"),
        ("10 ms^-1", "ms^-1"),
        ("1½ h", "h"),
    ],
)
def test_what_follows_the_number_is_its_unit(typed, unit):
    if unit is None:
        assert refused(typed) == "not_a_number"
    else:
        assert parse_numeral(typed, "en").unit == unit


def test_a_price_may_have_its_sign_before_it():
    assert parse_numeral("€1.234,50", "es") == Numeral(Fraction(2469, 2), 6, "€")


@given(st.text(max_size=120), st.sampled_from(LANGUAGES))
def test_any_text_is_a_number_or_is_not(typed, language):
    try:
        parsed = parse_numeral(typed, language)
    except NumeralError:
        return
    assert parsed.digits >= 0


PIECES = st.lists(st.sampled_from([*"0123456789.,' -+/eE^*x$%m²½·"]), max_size=14).map("".join)


@given(PIECES)
def test_who_writes_in_no_known_language_is_read_as_all_others_or_not_at_all(typed):
    try:
        plainly = parse_numeral(typed, "")
    except NumeralError:
        return
    assert parse_numeral(typed, "en") == parse_numeral(typed, "es") == plainly


AMBIGUOUS_NUMBERS = load(EXAMPLES.parent / "ambiguous_numbers.json")


@pytest.mark.parametrize("vector", AMBIGUOUS_NUMBERS, ids=lambda vector: repr(vector["typed"]))
def test_what_can_be_two_numbers_is_known_with_both_readings(vector):
    """The page asks about the same texts: tests/journeys/test_ambiguous_numbers.py."""
    expected = Readings(vector["integer"], vector["joined"]) if "integer" in vector else None
    assert find_readings(vector["typed"]) == expected


def test_the_writer_decides_over_the_language():
    for language in ("en", "es", "", "fr"):
        assert parse_numeral("3.125", language, DECIMAL).number == Fraction(25, 8)
        assert parse_numeral("3.125", language, THOUSANDS).number == 3125
        assert parse_numeral("1'234", language, DECIMAL).number == Fraction(1234, 1000)


def test_what_the_writer_says_changes_nothing_where_there_is_one_reading():
    for vector in AMBIGUOUS_NUMBERS:
        for separator in (DECIMAL, THOUSANDS) if "integer" not in vector else ():
            assert outcome(vector["typed"], separator) == outcome(vector["typed"], "")


def outcome(typed, separator):
    try:
        return parse_numeral(typed, "en", separator)
    except NumeralError as error:
        return error.code
