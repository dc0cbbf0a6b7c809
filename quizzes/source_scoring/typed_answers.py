"""What people might type where words or numbers are accepted: the key, and what is near it."""

import unicodedata
from collections.abc import Iterable, Iterator
from fractions import Fraction

from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import Target
from grading.short_text.folding import simplify_signs
from quizzes.formats.builders import join_lines
from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.numbers import format_number, parse_number
from quizzes.formats.parsing.percentages import format_decimal

MOST_LITERALS = 8
OTHER_WORDS = "qxzw vkj"
_TYPOGRAPHIC = str.maketrans("'\"-", "\u2019\u201d\u2013")
_STEP = Fraction(1, 1000)


def list_words(literals: Iterable[str]) -> list[str]:
    """Return words to type: each accepted text, in other cases, with signs or blanks around."""
    named = list(literals)[:MOST_LITERALS]
    with_blanks = [text for text in named if text != text.strip()]
    words = dict.fromkeys([*map(_concrete, named), *with_blanks])
    variants = [(text, *_vary(text)) for text in words if text]
    width = max(map(len, variants), default=0)
    # The texts themselves come first: a bounded sample has each of them.
    ordered = [texts[at] for at in range(width) for texts in variants if at < len(texts)]
    return [*dict.fromkeys([*ordered, OTHER_WORDS])]


def _concrete(text: str) -> str:
    r"""Return what an accepted text stands for: `\*` is a star."""
    return join_lines(text.replace(r"\*", "*"))


def _vary(text: str) -> Iterator[str]:
    yield text.swapcase()
    marks = unicodedata.normalize("NFD", text)
    yield "".join(mark for mark in marks if not unicodedata.combining(mark))
    yield f"{text}."
    for changed in (text.translate(_TYPOGRAPHIC), simplify_signs(text)):
        if changed != text:
            yield changed
    if "*" in text:
        yield text.replace("*", "xyz")
    yield f" {text} "


def list_numbers(literals: Iterable[str], rows: Iterable[ParsedRow]) -> list[str]:
    """Return numbers to type: those of the file, the ends of what is accepted, and just beyond."""
    inner = [number for text in literals if (number := parse_number(text)) is not None]
    inner = inner[: MOST_LITERALS * 3]
    for row in list(rows)[:MOST_LITERALS]:
        low, high = _read_bounds(row)
        inner += [(low + high) / 2, low, high]
    outer = [
        beyond
        for number in dict.fromkeys(inner)
        for step in (_step(number),)
        for beyond in (number - step, number + step)
    ]
    written = (_write(number) for number in dict.fromkeys([*inner, *outer, Fraction(987654321)]))
    return [text for text in written if text]


def _step(number: Fraction) -> Fraction:
    return _STEP * max(abs(number), Fraction(1, 1000)) / 7


def _write(number: Fraction) -> str:
    """Return a number as people type it; "" where it has no end."""
    text = format_number(number)
    return text if "/" not in text else format_decimal(number)


def _read_bounds(row: ParsedRow) -> tuple[Fraction, Fraction]:
    values = row.values
    tolerance, margin = str(values.get("tolerance") or "exact"), str(values.get("margin") or "0")
    value = parse_exact(str(values["value"]))
    return Target(value, tolerance, parse_exact(margin)).bounds
