"""Numbers as authors write them: one strict form in every language, and bounds that keep it small.

A whole number, a decimal with a point, either with an exponent, or a fraction: 12, -0.5, 1.2e-3,
22/7. No thousands marks, no comma.
"""

import re
from fractions import Fraction
from functools import lru_cache

MAX_LENGTH = 60
"""Characters of an author's number."""

MAX_EXPONENT = 400
"""The greatest exponent, of authors and learners alike: floats end at 308."""

_DECIMAL = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_FRACTION = re.compile(r"([+-]?[0-9]+) ?/ ?([0-9]+)")


@lru_cache(maxsize=8192)
def parse_exact(text: str) -> Fraction:
    """Read an author's number; what is written otherwise, too long or too far: ValueError."""
    text = text.strip()
    if len(text) <= MAX_LENGTH and (match := _DECIMAL.fullmatch(text)):
        sign, integer, decimals, power = match.groups(default="")
        value = scale_decimal(integer, decimals, power or "0")
        return -value if sign == "-" else value
    if len(text) <= MAX_LENGTH and (match := _FRACTION.fullmatch(text)) and int(match[2]):
        return Fraction(int(match[1]), int(match[2]))
    raise ValueError("not a number as authors write them")


def scale_decimal(integer: str, decimals: str, power: str) -> Fraction:
    """Return a decimal number times a power of ten; too large a power: ValueError."""
    exponent = int(power)
    if abs(exponent) > MAX_EXPONENT:
        raise ValueError("too far from 1 to be kept")
    exponent -= len(decimals)
    digits = int(integer + decimals)
    return Fraction(digits * 10**exponent) if exponent >= 0 else Fraction(digits, 10**-exponent)
