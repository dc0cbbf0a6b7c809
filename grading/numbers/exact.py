"""Numbers as authors write them: one strict form in every language, and bounds that keep it small.

A whole number, a decimal with a point, either with an exponent, or a fraction: 12, -0.5, 1.2e-3,
22/7. No thousands marks, no comma.
"""

import re
from fractions import Fraction
from functools import lru_cache

LONGEST = 60
"""Characters of an author's number."""

FARTHEST = 400
"""The greatest exponent, of authors and learners alike: floats end at 308."""

_DECIMAL = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_FRACTION = re.compile(r"([+-]?[0-9]+) ?/ ?([0-9]+)")


@lru_cache(maxsize=8192)
def exact(text: str) -> Fraction:
    """Read an author's number; what is written otherwise, too long or too far: ValueError."""
    text = text.strip()
    if len(text) <= LONGEST and (found := _DECIMAL.fullmatch(text)):
        sign, whole, places, power = found.groups(default="")
        value = scaled(whole, places, power or "0")
        return -value if sign == "-" else value
    if len(text) <= LONGEST and (found := _FRACTION.fullmatch(text)) and int(found[2]):
        return Fraction(int(found[1]), int(found[2]))
    raise ValueError("not a number as authors write them")


def scaled(whole: str, places: str, power: str) -> Fraction:
    """Give digits before and after the point times ten to a power; too far a power: ValueError."""
    exponent = int(power)
    if abs(exponent) > FARTHEST:
        raise ValueError("too far from 1 to be kept")
    exponent -= len(places)
    digits = int(whole + places)
    return Fraction(digits * 10**exponent) if exponent >= 0 else Fraction(digits, 10**-exponent)
