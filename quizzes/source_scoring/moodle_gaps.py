"""The rules of Moodle's texts with gaps: `{2:MULTICHOICE:=right~%50%half}`, and groups of words."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from html import unescape
from xml.etree.ElementTree import Element

from quizzes.formats.builders import join_lines
from quizzes.formats.moodle.cloze import MOST_POINTS
from quizzes.formats.parsing.numbers import parse_number
from quizzes.source_scoring.answer_credits import (
    Compute,
    SourceNumber,
    SourceShare,
    build_number_rule,
    build_option_rule,
    build_slot_rules,
    build_word_rule,
    list_limits,
    list_literals,
    number_options,
    parse_near,
)
from quizzes.source_scoring.moodle_texts import read_words
from quizzes.source_scoring.rules import NotComparable, SourceRules, SourceSlot

_GAP = re.compile(r"\{(\d{0,4}):([A-Z_]{2,20}):((?:\\.|[^{}\\])*+)\}", re.DOTALL)
_PARTS = re.compile(r"(?:\\.|[^~\\])+", re.DOTALL)
_FEEDBACK = re.compile(r"(?<!\\)#.*", re.DOTALL)
_SHARE = re.compile(r"\s*(?:(=)|%(-?[\d.]{1,12})%)")
_ESCAPE = re.compile(r"\\([}#~/\"\\])")
_TAG = re.compile(r"<[^<>]*>")
_CHOICES = re.compile(r"(?:MULTICHOICE|MC)(?:_?[VHS]{1,2})?")
_NUMBERS = frozenset({"NUMERICAL", "NM"})
_WORDS = {
    "SHORTANSWER": False,
    "SA": False,
    "MW": False,
    "SHORTANSWER_C": True,
    "SAC": True,
    "MWC": True,
}
_PLACEHOLDER = re.compile(r"\[\[(\d{1,4})\]\]")
_ONE = Fraction(1)
_POINTS_CHANGED = "gap_points_changed"


def read_cloze_rules(node: Element, codes: Collection[str] = ()) -> SourceRules:
    """Return the rules of a text with gaps, as notes with these codes change them.

    Each gap counts its points.
    """
    slots, computes, weights = [], {}, dict[str, Fraction]()
    for place, match in enumerate(_GAP.finditer(read_words(node.find("questiontext")))):
        response, points = str(place), Fraction(match[1] or 1)
        slot, computes[response] = _read_gap(response, match[2], match[3])
        slots.append(slot)
        if _POINTS_CHANGED in codes:
            points = min(max(points, _ONE), Fraction(MOST_POINTS))
        weights[response] = points
    if not slots:
        raise NotComparable("rule_unknown", "cloze")
    rules = build_slot_rules(slots, computes, weights)
    return replace(
        rules,
        noted_codes=frozenset({_POINTS_CHANGED}),
        read_noted=partial(read_cloze_rules, node),
    )


def _read_gap(response: str, kind: str, text: str) -> tuple[SourceSlot, Compute]:
    accepted = list(_read_answers(text))
    if _CHOICES.fullmatch(kind):
        options = number_options([answer.text for answer in accepted])
        shares = {option.id: answer.share for option, answer in zip(options, accepted, strict=True)}
        return SourceSlot(response, tuple(options)), build_option_rule(shares)
    if kind in _NUMBERS:
        numbers = [_read_number(answer) for answer in accepted]
        return SourceSlot(response, literals=list_limits(numbers)), build_number_rule(numbers)
    if kind not in _WORDS:
        raise NotComparable("rule_unknown", kind)
    return (
        SourceSlot(response, literals=list_literals(accepted)),
        build_word_rule(accepted, case=_WORDS[kind]),
    )


def _read_answers(text: str) -> Iterator[SourceShare]:
    for part in _PARTS.findall(text):
        share, words = Fraction(0), _FEEDBACK.sub("", part)
        if match := _SHARE.match(words):
            share = _ONE if match[1] else (parse_number(match[2]) or Fraction(0)) / 100
            words = words[match.end() :]
        plain = unescape(_TAG.sub("", _ESCAPE.sub(r"\1", words)))
        yield SourceShare(join_lines(plain.replace("\xa0", " ")), share)


def _read_number(answer: SourceShare) -> SourceNumber:
    text, _, tolerance = answer.text.partition(":")
    return parse_near(text, parse_number(tolerance), answer.share)


def read_gap_select_rules(node: Element) -> SourceRules:
    """Return the rules of gaps that words of a group fill: all count the same."""
    words = [*node.findall("selectoption"), *node.findall("dragbox")]
    groups = [read_words(word.find("group")).strip() or "1" for word in words]
    options = number_options([read_words(word) for word in words])
    slots, computes = [], {}
    for place, match in enumerate(_PLACEHOLDER.finditer(read_words(node.find("questiontext")))):
        right = int(match[1]) - 1
        if not 0 <= right < len(options):
            raise NotComparable("rule_unknown", match[0])
        members = (
            option for option, group in zip(options, groups, strict=True) if group == groups[right]
        )
        slots.append(SourceSlot(str(place), tuple(members)))
        computes[str(place)] = build_option_rule({options[right].id: _ONE})
    return build_slot_rules(slots, computes, dict.fromkeys(computes, _ONE))
