"""Accepted numbers as numeric's table holds them, from values and bounds of files. Exact. Pure."""

import re
from decimal import Decimal, localcontext
from fractions import Fraction

_DIGITS = 60
_LONGEST = 50  # ours has 60 at most
_GREATEST_POWER = 300  # where floats end
_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,2})?", re.ASCII)


def parse_number(text: str) -> Fraction | None:
    """Return a decimal number of bounded size exactly; None if the text is none."""
    text = text.strip()
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def format_number(value: Fraction) -> str:
    """Return a number exactly: as a decimal if it has an end, else as a fraction."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    with localcontext() as context:
        context.prec = _DIGITS + len(str(value.numerator)) + len(str(value.denominator))
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def write_decimal(text: str) -> str | None:
    """Return a number of a file as our authors write it, with digits on both sides of a point."""
    text = text.strip()
    match = _DECIMAL.fullmatch(text)
    if not match or not (match[2] or match[3]) or len(text) > _LONGEST:
        return None
    sign, integer, places, power = match.groups(default="")
    if power and abs(int(power)) > _GREATEST_POWER:
        return None
    sign = sign.removeprefix("+")
    return f"{sign}{integer or 0}{'.' if places else ''}{places}{'e' if power else ''}{power}"


def build_tolerance(value: Fraction | None, low: Fraction, high: Fraction) -> tuple[str, str, str]:
    """Return tolerance, value and margin for all from low to high.

    A value in the middle has a margin about it; without one, it is a range.
    """
    if low == high:
        return "exact", format_number(low), ""
    if value is not None and value - low == high - value:
        return "absolute", format_number(value), format_number(high - value)
    return "range", format_number(low), format_number(high)
