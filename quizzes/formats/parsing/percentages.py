"""Percentages and weights as files round them: 33.33333 means a third. Pure."""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from grading.json_types import Json, ratio_to_json

LARGEST_DENOMINATOR = 30
_PLACES = 12
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


def in_proportion(shares: Sequence[Fraction]) -> list[int]:
    """Give the smallest whole numbers that are to one another as these."""
    denominator = lcm(*(share.denominator for share in shares))
    counts = [int(share * denominator) for share in shares]
    least = gcd(*counts) or 1
    return [count // least for count in counts]


def ratio(value: Fraction) -> Json:
    """Give it as a field of a shape holds it."""
    return ratio_to_json(value)


def decimal(value: Fraction) -> str:
    """Write it as a decimal: exactly if it ends within twelve places, else rounded to them."""
    digits = round(abs(value) * 10**_PLACES)
    integer, places = divmod(digits, 10**_PLACES)
    sign = "-" if value < 0 and digits else ""
    return f"{sign}{integer}.{places:0{_PLACES}d}".rstrip("0").rstrip(".")
