"""Rules of files that give each answer its share: choices, accepted words and numbers, gaps."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from quizzes.formats.parsing.numbers import format_number, parse_number
from quizzes.source_scoring.rules import (
    NotComparable,
    Shape,
    SourceAnswer,
    SourceOption,
    SourceRules,
    SourceSlot,
    UndeterminedScore,
    clamp_share,
)

RESPONSE = "answer"
_LINE_BREAK = re.compile(r"(?<!\s)\s*\n\s*")
"""What is typed is on one line, so that a line that breaks in the file is one blank."""
_STARS = re.compile(r"(?<!\\)\*+")
_ONE = Fraction(1)

Compute = Callable[[str], Fraction]
"""What one value earns."""


@dataclass(frozen=True, slots=True)
class SourceShare:
    """An answer of a file: its words, and the share of the points that it earns."""

    text: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class SourceNumber:
    """A number of a file: the share of all from `low` to `high`; None: of any other number.

    `open_ends` are ends that do not count.
    """

    share: Fraction
    low: Fraction | None = None
    high: Fraction | None = None
    open_ends: frozenset[Fraction] = frozenset()

    def accepts(self, number: Fraction) -> bool:
        """Return whether it stands for a number."""
        if self.low is None or self.high is None:
            return True
        return self.low <= number <= self.high and number not in self.open_ends


def build_choice_rules(
    options: Sequence[SourceOption],
    shares: Sequence[Fraction],
    *,
    many: bool,
    compute: Callable[[frozenset[str]], Fraction] | None = None,
) -> SourceRules:
    """Return the rules of a choice: the sum of the shares, by default; of several, from 0 to 1."""
    by_id = {option.id: share for option, share in zip(options, shares, strict=True)}

    def add_all(chosen: frozenset[str]) -> Fraction:
        return sum((by_id.get(identifier, Fraction(0)) for identifier in chosen), Fraction(0))

    def add_shares(chosen: frozenset[str]) -> Fraction:
        return clamp_share(add_all(chosen)) if many else add_all(chosen)

    rule = compute or add_shares
    slot = SourceSlot(RESPONSE, tuple(options))
    is_bounded = many and compute is None
    return SourceRules(
        Shape.CHOICE,
        (slot,),
        lambda answer: rule(frozenset(answer.get(RESPONSE, ()))),
        _ONE,
        (lambda answer: add_all(frozenset(answer.get(RESPONSE, ())))) if is_bounded else None,
        Fraction(0) if is_bounded else None,
    )


def build_marked_rules(options: Sequence[SourceOption], marks: Sequence[bool]) -> SourceRules:
    """Return the rules of options that are marked as right, without a word of what a part earns.

    All right ones together earn everything, wrong ones alone nothing; of the rest nothing is said.
    """
    right = {option.id for option, mark in zip(options, marks, strict=True) if mark}
    if not right:
        raise NotComparable("no_key")

    def compute(chosen: frozenset[str]) -> Fraction:
        if chosen == right or not chosen & right:
            return Fraction(chosen == right)
        raise UndeterminedScore

    shares = [Fraction(mark) for mark in marks]
    return build_choice_rules(options, shares, many=len(right) > 1, compute=compute)


def number_options(texts: Sequence[str], truths: Sequence[bool | None] = ()) -> list[SourceOption]:
    """Return options that the file does not name, by their place."""
    every = truths or [None] * len(texts)
    return [
        SourceOption(str(place), text, truth)
        for place, (text, truth) in enumerate(zip(texts, every, strict=True))
    ]


def build_slot_rules(
    slots: Sequence[SourceSlot], computes: Mapping[str, Compute], weights: Mapping[str, Fraction]
) -> SourceRules:
    """Return the rules of several places, by response: each earns its part of the weights."""
    full = sum(weights.values(), Fraction(0)) or _ONE

    def compute(answer: SourceAnswer) -> Fraction:
        earned = (
            weights[response] * computes[response](values[0])
            for response, values in answer.items()
            if values and response in computes
        )
        return sum(earned, Fraction(0)) / full

    worth = (replace(slot, points=weights.get(slot.response, _ONE) / full) for slot in slots)
    return SourceRules(Shape.SLOTS, tuple(worth), compute, _ONE)


def build_word_rules(accepted: Sequence[SourceShare], *, case: bool) -> SourceRules:
    """Return the rules of one answer in words, as Moodle compares them."""
    slot = SourceSlot(RESPONSE, literals=list_literals(accepted))
    computes = {RESPONSE: build_word_rule(accepted, case=case)}
    return build_slot_rules([slot], computes, {RESPONSE: _ONE})


def build_number_rules(accepted: Sequence[SourceNumber]) -> SourceRules:
    """Return the rules of one number."""
    slot = SourceSlot(RESPONSE, literals=list_limits(accepted))
    return build_slot_rules([slot], {RESPONSE: build_number_rule(accepted)}, {RESPONSE: _ONE})


def list_literals(accepted: Sequence[SourceShare]) -> tuple[str, ...]:
    """Return the words of answers, without those that only stand for any other."""
    return tuple(dict.fromkeys(answer.text for answer in accepted if answer.text.strip("*")))


def list_limits(accepted: Sequence[SourceNumber]) -> tuple[str, ...]:
    """Return the middle, the lowest and the highest of each accepted number, as decimals."""
    limits = (
        limit
        for number in accepted
        if number.low is not None and number.high is not None
        for limit in ((number.low + number.high) / 2, number.low, number.high)
    )
    return tuple(dict.fromkeys(map(format_number, limits)))


def build_word_rule(accepted: Sequence[SourceShare], *, case: bool) -> Compute:
    """Return the rule of Moodle for words: the first that matches counts; a star is any text."""
    patterns = [
        ([_fold(part.replace(r"\*", "*"), case=case) for part in _STARS.split(answer.text)], answer)
        for answer in accepted
    ]

    def compute(typed: str) -> Fraction:
        text = _fold(typed.strip(), case=case)
        matches = (answer.share for parts, answer in patterns if _matches(text, parts))
        return next(matches, Fraction(0))

    return compute


def _fold(text: str, *, case: bool) -> str:
    composed = _LINE_BREAK.sub(" ", unicodedata.normalize("NFC", text))
    return composed if case else composed.casefold()


def _matches(text: str, parts: Sequence[str]) -> bool:
    """Return whether a text is these parts with anything between them; in linear time."""
    first, *others = parts
    if not others:
        return text == first
    if not text.startswith(first) or len(text) < len(first) + len(others[-1]):
        return False
    if not text.endswith(others[-1]):
        return False
    end, place = len(text) - len(others[-1]), len(first)
    for part in others[:-1]:
        place = text.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True


def build_number_rule(accepted: Sequence[SourceNumber]) -> Compute:
    """Return the rule for numbers: the first that accepts what was typed counts."""

    def compute(typed: str) -> Fraction:
        number = parse_number(typed)
        matches = (
            target.share for target in accepted if number is not None and target.accepts(number)
        )
        return next(matches, Fraction(0))

    return compute


def parse_near(text: str, margin: Fraction | None, share: Fraction) -> SourceNumber:
    """Return a number with what may lie about it; "*" is any. Another text: NotComparable."""
    if text.strip() == "*":
        return SourceNumber(share)
    number, around = parse_number(text), abs(margin or Fraction(0))
    if number is None:
        raise NotComparable("rule_unknown", text[:200])
    return SourceNumber(share, number - around, number + around)


def parse_range(low: str, high: str, share: Fraction) -> SourceNumber:
    """Return all numbers between two, or raise NotComparable."""
    ends = sorted(number for number in map(parse_number, (low, high)) if number is not None)
    if len(ends) <= 1:
        raise NotComparable("rule_unknown", f"{low} {high}"[:200])
    return SourceNumber(share, ends[0], ends[1])


def build_option_rule(shares: Mapping[str, Fraction]) -> Compute:
    """Return the rule of a gap with options: what the chosen one earns."""
    return lambda chosen: shares.get(chosen, Fraction(0))
