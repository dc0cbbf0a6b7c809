"""Result pages of graded quizzes: what the answer given earned, and what follows of others.

A page scores one answer. Where that earned everything, no other choice of one option earns
anything; where one of two earned nothing, the other one is right. Of the rest nothing is said.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.source_scoring.answer_credits import build_choice_rules, number_options
from quizzes.source_scoring.rules import NotComparable, SourceRules, UndeterminedScore

_EMPTY, _CHOSEN = "☐○◯□", "☒☑●◉■"
_MARK = re.compile(rf"([{_EMPTY}{_CHOSEN}])\ufe0f?")
_VERDICT = re.compile(r"\s*(?:[✓✔✅✗✘❌]\ufe0f?|\*\*|[☒☑]\ufe0f?\s*\*\*)")
_POINTS = re.compile(
    r"(\d{1,4}(?:[.,]\d{1,4})?)\s{0,3}/\s{0,3}(\d{1,4}(?:[.,]\d{1,4})?)\s{0,3}"
    r"(?:points?|puntos?|pontos?|punkte?n?|pts?)\b",
    re.IGNORECASE,
)
_PAIR = 2


def read_page(lines: Sequence[str]) -> SourceRules:
    """Return the rules of one question of a page: its options with boxes, and its points."""
    points = next(filter(None, map(_POINTS.search, lines)), None)
    if points is None:
        raise NotComparable("rule_unknown")
    earned, full = (Fraction(number.replace(",", ".")) for number in points.groups())
    texts, marks = _read_options(lines)
    chosen = frozenset(str(place) for place, is_chosen in enumerate(marks) if is_chosen)
    if full <= 0 or not chosen:
        raise NotComparable("no_key")
    many = len(chosen) > 1 or asks_for_all(" ".join(lines))
    has_other = earned == 0 and not many and len(texts) == _PAIR

    def compute(answer: frozenset[str]) -> Fraction:
        if answer == chosen:
            return earned / full
        if earned == full and not (many and answer & chosen):
            return Fraction(0)
        if has_other:
            return Fraction(len(answer))
        raise UndeterminedScore

    options = number_options(texts, [parse_boolean(text) for text in texts])
    return build_choice_rules(options, [Fraction(0)] * len(texts), many=many, compute=compute)


def _read_options(lines: Sequence[str]) -> tuple[list[str], list[bool]]:
    """Return the options of a page with their boxes, full or empty; verdicts are none."""
    texts: list[str] = []
    marks: list[bool] = []
    for line in lines:
        _, *parts = _MARK.split(line)
        for mark, words in zip(parts[::2], parts[1::2], strict=True):
            text = words.strip()
            if text and not _VERDICT.match(text):
                texts.append(text)
                marks.append(mark in _CHOSEN)
    return texts, marks
