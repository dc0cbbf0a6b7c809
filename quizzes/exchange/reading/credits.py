"""Percentages and weights as files round them: 33.33333 means a third. Pure."""

import re
from fractions import Fraction

from grading.plain import Json, ratio_to_json

LARGEST_DENOMINATOR = 30
_DECIMAL = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,12})?|[+-]?\.\d{1,12}", re.ASCII)


def fraction(text: str) -> Fraction | None:
    """Read a plain decimal exactly; anything else: None."""
    text = text.strip()
    return Fraction(text) if _DECIMAL.fullmatch(text) else None


def percentage(text: str) -> Fraction | None:
    """Read "33.33333" as a third, "50" as a half; no number: None."""
    digits = text.strip().removesuffix("%").strip()
    value = fraction(digits)
    if value is None:
        return None
    decimals = len(digits.partition(".")[2])
    return snapped(value / 100, Fraction(1, 100 * 10**decimals)) if decimals else value / 100


def snapped(value: Fraction, step: Fraction) -> Fraction:
    """Give the simple fraction that was rounded to this value; `step` is one of its last place."""
    simple = value.limit_denominator(LARGEST_DENOMINATOR)
    return simple if abs(simple - value) < step else value


def ratio(value: Fraction) -> Json:
    """Give it as a field of a shape holds it."""
    return ratio_to_json(value)
