"""Numbers out of text that anybody may have sent. Pure."""

from fractions import Fraction

MAX_NUMBER_LENGTH = 40
"""More than any sensible number has; the longest ones take a computer a while."""


def parse_count(text: str, *, maximum: int, default: int = 0) -> int:
    """Return a whole number, at most `maximum`; `default` for what is none, or has more digits."""
    is_count = text.isascii() and text.isdigit() and len(text) <= len(str(maximum))
    return min(int(text), maximum) if is_count else default


def parse_points(text: str, *, maximum: Fraction) -> Fraction | None:
    """Return points from 0 to `maximum`, exact; None for what is no such number.

    A comma may stand for the point, whole and part may stand apart: 2,5 and 2 1/3.
    """
    text = text.strip().replace(",", ".")
    if not text or len(text) > MAX_NUMBER_LENGTH or set(text.lower()) & set("e-_"):
        return None
    try:
        points = sum((Fraction(part) for part in text.split()), Fraction())
    except (ValueError, ZeroDivisionError):
        return None
    return points if 0 <= points <= maximum else None
