"""Accepted numbers in a cell, as people write them: `3.14 ± 0.01`, `20 ± 5%`, `1..5`. Pure."""

import re

from grading.numeric.exact import parse_exact
from quizzes.formats.builders import Number
from quizzes.formats.parsing.numbers import written

_COMMA = re.compile(r"([+-]?\d+),(\d+)")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_ABOUT = re.compile(r"(.+?)\s*(?:±|\+/?-)\s*([^%]+?)\s*(%?)")
_BETWEEN = re.compile(r"(.+?)\s*(?:\.\.|…)\s*(.+)")
_LONGEST = 200
"""Characters; more is no number, and the time of the patterns grows with their square."""


def number(text: str) -> Number | None:
    """Read one; what is no number, or may mean two, is None."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    try:
        if found := _BETWEEN.fullmatch(text):
            low, high = _plain(found[1]), _plain(found[2])
            return Number(low, "range", high) if parse_exact(low) <= parse_exact(high) else None
        if not (found := _ABOUT.fullmatch(text)):
            return Number(_plain(text))
        value, margin = _plain(found[1]), _plain(found[2])
        if parse_exact(margin) < 0:
            return None
        part = written(parse_exact(margin) / 100) if found[3] else margin
        return Number(value, "relative" if found[3] else "absolute", part)
    except ValueError:
        return None


def numeral(value: str, tolerance: str, margin: str) -> str:
    """Write one as `number` reads it; "" where there is no such form."""
    try:
        match tolerance:
            case "exact":
                return value
            case "absolute":
                return f"{value} ± {margin}"
            case "relative":
                return f"{value} ± {written(parse_exact(margin) * 100)}%"
            case "range":
                return f"{value}..{margin}"
    except ValueError:
        return ""
    return ""


def _plain(text: str) -> str:
    """Give a number as authors write it here; with a comma that may part thousands: ValueError."""
    plain = text.strip().replace("−", "-").replace("\N{NO-BREAK SPACE}", "")
    if _THOUSANDS.fullmatch(plain):
        raise ValueError("a comma before three digits")
    if found := _COMMA.fullmatch(plain):
        plain = f"{found[1]}.{found[2]}"
    parse_exact(plain)
    return plain
