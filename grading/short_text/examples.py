"""Answers that nearly are an accepted one, and whether each is accepted: how a key compares."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grading.numeric.correct_answers import LANGUAGE
from grading.short_text.folding import STAR, Folding, simplify_signs
from grading.short_text.number_value import read_number
from grading.short_text.parsing import parse_answer
from grading.short_text.pattern_texts import list_pattern_texts
from grading.short_text.scoring import OTHERWISE, score_answer
from grading.short_text.structure import AcceptedText, Rows
from grading.short_text.wildcard import encode_stars

MAX_KEYS = 3
"""Of so many accepted answers, the first ones, examples are made."""

ARBITRARY_TEXT = "abc"
"""What stands for a star in an example."""

_SIGN = re.compile(r"[^\w\s]|_")
_OPERATOR = re.compile(r"\s*([-+*/=<>^&|!]+)\s*")
_BRACKETS = str.maketrans("()[]{}", "[]()()")
_QUOTES = str.maketrans("'\"", "\u2019\u201d")
_DASHES = str.maketrans("-", "\u2013")


@dataclass(frozen=True, slots=True)
class ComparisonExample:
    """An answer, by what it differs from an accepted one, and what it earns; None: refused."""

    change: str
    text: str
    credit: Fraction | None


def _change_case(text: str) -> str:
    return text.upper() if text.upper() != text else text.lower()


def _remove_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return "".join(char for char in apart if unicodedata.category(char) != "Mn")


def _change_number(text: str) -> str:
    number = read_number(text)
    if number is None:
        return text
    return f"{text}.0" if number.denominator == 1 and text.isdecimal() else str(number)


CHANGES: Mapping[str, Callable[[str], str]] = {
    "as_written": lambda text: text,
    "other_case": _change_case,
    "without_accents": _remove_accents,
    "other_number": _change_number,
    "full_stop": lambda text: f"{text}.",
    "blanks_around": lambda text: f" {text} ",
    "more_blanks": lambda text: text.replace(" ", "  "),
    "without_blanks": lambda text: "".join(text.split()),
    "blanks_at_operators": lambda text: _OPERATOR.sub(r" \1 ", text),
    "sign_left_out": lambda text: _SIGN.sub("", text, count=1),
    "other_brackets": lambda text: text.translate(_BRACKETS),
    "other_quotes": lambda text: text.translate(_QUOTES),
    "other_dashes": lambda text: text.translate(_DASHES),
    "plain_signs": simplify_signs,
}
"""What an answer may differ in, by its name."""

STAR_CHANGES: Mapping[str, Callable[[str], str]] = {
    "star_as_text": lambda key: key.replace(STAR, ARBITRARY_TEXT),
    "star_as_nothing": lambda key: key.replace(STAR, ""),
    "star_other_case": lambda key: _change_case(key.replace(STAR, ARBITRARY_TEXT)),
    "star_sign_left_out": lambda key: _SIGN.sub("", key.replace(STAR, ARBITRARY_TEXT), count=1),
    "text_before": lambda key: ARBITRARY_TEXT + key.replace(STAR, ARBITRARY_TEXT),
    "text_after": lambda key: key.replace(STAR, ARBITRARY_TEXT) + ARBITRARY_TEXT,
}
"""What an answer to a key with stars may differ in.

Each star stands for `ARBITRARY_TEXT` or for nothing.
"""

PATTERN_CHANGES: Mapping[str, Callable[[str], str]] = {
    "pattern_other_case": _change_case,
    "pattern_sign_left_out": lambda text: _SIGN.sub("", text, count=1),
    "text_before": lambda text: ARBITRARY_TEXT + text,
    "text_after": lambda text: text + ARBITRARY_TEXT,
}
"""What an answer may differ in from a text that a pattern takes."""

PATTERN_TEXTS = ("pattern_least", "pattern_most")
"""Texts that a pattern takes: with the least of each part, and with each of them."""


def list_examples(rows: Rows, folding: Folding) -> tuple[ComparisonExample, ...]:
    """Return changes of the first accepted answers. A broken pattern: PatternError."""
    examples: dict[str, ComparisonExample] = {}
    for row in [row for row in rows if row.credit > 0][:MAX_KEYS]:
        for example in _list_changes(row, rows, folding):
            examples.setdefault(example.text, example)
    return tuple(examples.values())


def _list_changes(row: AcceptedText, rows: Rows, folding: Folding) -> Iterator[ComparisonExample]:
    if row.pattern:
        return _vary_pattern(row.text, rows, folding)
    key = encode_stars(row.text, folding)
    return (_fill_stars if STAR in key else _change)(key, rows, folding)


def _vary_pattern(pattern: str, rows: Rows, folding: Folding) -> Iterator[ComparisonExample]:
    """Yield texts that a pattern takes, and changes of the longer one."""
    texts = list_pattern_texts(pattern, folding)
    changed = {name: change(texts[1]) for name, change in PATTERN_CHANGES.items()}
    named = [*zip(PATTERN_TEXTS, texts, strict=True), *changed.items()]
    for name, text in named:
        if text.strip():
            yield ComparisonExample(name, text, score_text(text, rows, folding))


def _fill_stars(key: str, rows: Rows, folding: Folding) -> Iterator[ComparisonExample]:
    for name, change in STAR_CHANGES.items():
        text = change(key)
        if text.strip() and (
            name.startswith("star_as") or text != key.replace(STAR, ARBITRARY_TEXT)
        ):
            yield ComparisonExample(name, text, score_text(text, rows, folding))


def _change(key: str, rows: Rows, folding: Folding) -> Iterator[ComparisonExample]:
    for name, change in CHANGES.items():
        text = change(key)
        if text.strip() and (name == "as_written" or text != key):
            yield ComparisonExample(name, text, score_text(text, rows, folding))


def score_text(raw: str, rows: Rows, folding: Folding) -> Fraction | None:
    """Return what a typed text earns; None if it is none of the accepted answers."""
    language = {"language": LANGUAGE} if folding.by_value else {}
    answer = parse_answer(folding, {"text": raw, **language})
    if not isinstance(answer, dict):
        return None
    item_score = score_answer(rows, folding, answer)
    return item_score.credit if item_score.ledger[0].part != OTHERWISE else None
