"""Lists in one cell, with what each entry earns: `Madrid; "a; b"; Villa y Corte=50%`. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.parsing.percentages import fraction, percentage, snapped

_ENTRY = re.compile(
    r'\s*(?:"((?:[^"]|"")*+)"(?:\s*=([^;\n"]{1,30}%))?[^\S\n]*(?=[;\n]|$)|([^;\n]*))(?:[;\n]|$)'
)
_SHARE = re.compile(r"(?<!\s)\s*=\s*([\d.,/ ]{1,30}%)\s*$")
_QUOTED = re.compile(r'[;\n]|^\s|\s$|^"|^$')
_RATIO = re.compile(r"([+-]?\d{1,8})\s*/\s*0*([1-9]\d{0,7})")


@dataclass(frozen=True, slots=True)
class Entry:
    """One of a list in a cell: a text, and the part of the whole that it earns."""

    text: str
    credit: Fraction = Fraction(1)


def entries(cell: str) -> Iterator[Entry]:
    """Part a list at semicolons and line breaks, but not within quotes."""
    for found in _ENTRY.finditer(cell):
        quoted, said, plain = found.groups()
        text = plain.strip() if quoted is None else quoted.replace('""', '"')
        if quoted is None and (ending := _SHARE.search(text)):
            text, said = text[: ending.start()], ending[1]
        credit = share_of(said) if said else None
        if text:
            yield Entry(text, Fraction(1) if credit is None else credit)


def listed(every: Iterable[Entry]) -> str:
    """Write entries as `entries` reads them."""
    return "; ".join(map(_entry, every))


def _entry(one: Entry) -> str:
    quotes = _QUOTED.search(one.text) or _SHARE.search(one.text)
    text = '"' + one.text.replace('"', '""') + '"' if quotes else one.text
    return text if one.credit == 1 else f"{text}={share(one.credit)}"


def shares_of(texts: Mapping[str, str]) -> dict[str, Fraction | None]:
    """Read the weights of one row by option, in per cent; if none is over 1, as parts of 1."""
    plain = {key: fraction(text.replace(",", ".")) for key, text in texts.items()}
    if any(one is None or abs(one) > 1 for one in plain.values()):
        return {key: share_of(text) for key, text in texts.items()}
    return {key: _part(text) for key, text in texts.items()}


def share_of(text: str) -> Fraction | None:
    """Read `50`, `33.33333%` and `33,3 %` as parts of a hundred, `1/3` and `1/3%` as a third."""
    plain = text.strip().removesuffix("%").strip().replace(",", ".")
    found = _RATIO.fullmatch(plain)
    return Fraction(int(found[1]), int(found[2])) if found else percentage(plain)


def share(value: Fraction) -> str:
    """Write a share so that it is read back exactly: in per cent if it can be, else as a ratio."""
    digits = round(abs(value) * 10_000_000)
    sign = "-" if value < 0 else ""
    text = f"{sign}{digits // 100_000}.{digits % 100_000:05d}".rstrip("0").rstrip(".") + "%"
    return text if percentage(text) == value else f"{value.numerator}/{value.denominator}%"


def _part(text: str) -> Fraction | None:
    whole = text.strip().replace(",", ".")
    value = fraction(whole)
    return value and snapped(value, Fraction(1, 10 ** len(whole.partition(".")[2])))
