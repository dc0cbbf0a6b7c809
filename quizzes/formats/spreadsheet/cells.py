"""What one cell can hold: lists with what each entry earns, pairs, and numbers. Pure.

`Madrid; "a; b"; Villa y Corte=50%`, `France => Paris`, `3.14 ± 0.01`, `20 ± 5%`, `1..5`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grading.numeric.exact import parse_exact
from quizzes.formats.builders import Number
from quizzes.formats.parsing.numbers import format_number
from quizzes.formats.parsing.percentages import (
    find_simple_fraction,
    format_decimal,
    parse_decimal,
    parse_percentage,
)

_ENTRY = re.compile(
    r'\s*(?:"((?:[^"]|"")*+)"(?:\s*=([^;\n"]{1,30}%))?[^\S\n]*(?=[;\n]|$)|([^;\n]*))(?:[;\n]|$)'
)
_SHARE = re.compile(r"(?<!\s)\s*=\s*([+\-−]?[\d.,/ ]{1,30}%)\s*$")
_QUOTED = re.compile(r'[;\n]|^\s|\s$|^"|^$')
_RATIO = re.compile(r"([+-]?\d{1,8})\s*/\s*0*([1-9]\d{0,7})")
_ARROW = re.compile(r"(?:(?<![^\S\n])[^\S\n]+)?(?:=>|⇒|→|->)[^\S\n]*")
_COMMA = re.compile(r"([+-]?\d+),(\d+)")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_MARGIN = re.compile(r"(.+?)\s*(?:±|\+/?-)\s*([^%]+?)\s*(%?)")
_RANGE = re.compile(r"(.+?)\s*(?:\.\.|…)\s*(.+)")
_LONGEST_NUMBER = 200
"""Characters; more is no number, and the time of the patterns grows with their square."""
_NUMBER_FORMS = {
    "exact": "{value}",
    "absolute": "{value} ± {margin}",
    "relative": "{value} ± {margin}%",
    "range": "{value}..{margin}",
}


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One entry of a list in a cell: a text, and the part of the score that it earns."""

    text: str
    credit: Fraction = Fraction(1)


def parse_entries(cell: str) -> Iterator[ListEntry]:
    """Split a list at semicolons and line breaks, but not within quotes."""
    for match in _ENTRY.finditer(cell):
        quoted, share, plain = match.groups()
        text = plain.strip() if quoted is None else quoted.replace('""', '"')
        if quoted is None and (ending := _SHARE.search(text)):
            text, share = text[: ending.start()], ending[1]
        credit = parse_share(share) if share else None
        if text:
            yield ListEntry(text, Fraction(1) if credit is None else credit)


def write_entries(entries: Iterable[ListEntry]) -> str:
    """Return a list as `parse_entries` reads it."""
    return "; ".join(map(_write_entry, entries))


def _write_entry(entry: ListEntry) -> str:
    quotes = _QUOTED.search(entry.text) or _SHARE.search(entry.text)
    text = '"' + entry.text.replace('"', '""') + '"' if quotes else entry.text
    return text if entry.credit == 1 else f"{text}={write_share(entry.credit)}"


def parse_shares(texts: Mapping[str, str]) -> dict[str, Fraction]:
    """Return the weights of one row by option, as far as they can be read.

    They are percentages; if none is over 1, parts of 1.
    """
    texts = {
        letter: text.strip().replace(",", ".").replace("−", "-") for letter, text in texts.items()
    }
    parts = {
        letter: part for letter, text in texts.items() if (part := parse_decimal(text)) is not None
    }
    if len(parts) == len(texts) and all(abs(part) <= 1 for part in parts.values()):
        steps = {at: Fraction(1, 10 ** len(text.partition(".")[2])) for at, text in texts.items()}
        return {letter: find_simple_fraction(part, steps[letter]) for letter, part in parts.items()}
    shares = ((letter, parse_share(text)) for letter, text in texts.items())
    return {letter: share for letter, share in shares if share is not None}


def parse_share(text: str) -> Fraction | None:
    """Read `50`, `33.33333%` and `33,3 %` as parts of a hundred, `1/3` and `1/3%` as a third."""
    plain = text.strip().removesuffix("%").strip().replace(",", ".").replace("−", "-")
    match = _RATIO.fullmatch(plain)
    return Fraction(int(match[1]), int(match[2])) if match else parse_percentage(plain)


def write_share(share: Fraction) -> str:
    """Return a share as it is read back exactly: in per cent if it can be, else as a ratio."""
    text = f"{format_decimal(round(share * 100, 5))}%"
    return text if parse_percentage(text) == share else f"{share.numerator}/{share.denominator}%"


def parse_pair(cell: str) -> tuple[str, str] | None:
    """Split a cell at its one arrow; with none or several, None. A distractor has no left side."""
    left, *rights = _ARROW.split(cell.strip())
    if len(rights) != 1 or not (left or rights[0]):
        return None
    return left.strip(), rights[0].strip()


def write_pair(left: str, right: str) -> str:
    """Return a pair as `parse_pair` reads it."""
    return f"{left} => {right}".strip()


def parse_number(text: str) -> Number | None:
    """Read an accepted number; what is no number, or may mean two, is None."""
    text = text.strip()
    if len(text) > _LONGEST_NUMBER:
        return None
    try:
        if match := _RANGE.fullmatch(text):
            low, high = _parse_decimal(match[1]), _parse_decimal(match[2])
            return Number(low, "range", high) if parse_exact(low) <= parse_exact(high) else None
        if not (match := _MARGIN.fullmatch(text)):
            return Number(_parse_decimal(text))
        number, margin = _parse_decimal(match[1]), _parse_decimal(match[2])
        tolerance = "relative" if match[3] else "absolute"
        margin = format_number(parse_exact(margin) / 100) if match[3] else margin
        return None if parse_exact(margin) < 0 else Number(number, tolerance, margin)
    except ValueError:
        return None


def write_number(value: str, tolerance: str, margin: str) -> str:
    """Return a number as `parse_number` reads it; "" where there is no such form."""
    try:
        margin = format_number(parse_exact(margin) * 100) if tolerance == "relative" else margin
    except ValueError:
        return ""
    return _NUMBER_FORMS.get(tolerance, "").format(value=value, margin=margin)


def _parse_decimal(text: str) -> str:
    """Return a number as authors write it here; if its comma may mean thousands: ValueError."""
    plain = text.strip().replace("−", "-").replace("\N{NO-BREAK SPACE}", "")
    if _THOUSANDS.fullmatch(plain):
        raise ValueError("a comma before three digits")
    if match := _COMMA.fullmatch(plain):
        plain = f"{match[1]}.{match[2]}"
    parse_exact(plain)
    return plain
