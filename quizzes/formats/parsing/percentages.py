"""Percentages and weights as files round them: 33.33333 means a third. Pure."""

import re
from fractions import Fraction

LARGEST_DENOMINATOR = 30
_PLACES = 12
_PERCENTAGE_PLACES = 5
_DECIMAL = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,12})?|[+-]?\.\d{1,12}", re.ASCII)


def parse_decimal(text: str) -> Fraction | None:
    """Return the exact value of a plain decimal; None for any other text."""
    text = text.strip()
    return Fraction(text) if _DECIMAL.fullmatch(text) else None


def parse_percentage(text: str) -> Fraction | None:
    """Return a third for "33.33333", a half for "50"; None if it is no number."""
    digits = text.strip().removesuffix("%").strip()
    percentage = parse_decimal(digits)
    if percentage is None:
        return None
    share, decimals = percentage / 100, len(digits.partition(".")[2])
    return find_simple_fraction(share, Fraction(1, 100 * 10**decimals)) if decimals else share


def find_simple_fraction(rounded: Fraction, step: Fraction) -> Fraction:
    """Return the simple fraction that was rounded to this; `step` is one of its last place."""
    simple = rounded.limit_denominator(LARGEST_DENOMINATOR)
    return simple if abs(simple - rounded) < step else rounded


def format_decimal(number: Fraction, places: int = _PLACES) -> str:
    """Return a decimal: exact if it ends within so many places, else rounded to them."""
    digits = round(abs(number) * 10**places)
    integer, rest = divmod(digits, 10**places)
    sign = "-" if number < 0 and digits else ""
    return f"{sign}{integer}.{rest:0{places}d}".rstrip("0").rstrip(".")


def format_percentage(share: Fraction) -> str:
    """Return a percentage as Moodle and GIFT have it: a third is 33.33333."""
    return format_decimal(share * 100, _PERCENTAGE_PLACES)
