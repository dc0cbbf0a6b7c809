"""The rules of OLX, by which Open edX scores the responses of its problems."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import get_line
from quizzes.source_scoring.answer_credits import (
    SourceNumber,
    SourceShare,
    build_choice_rules,
    build_number_rules,
    build_word_rules,
    number_options,
    parse_near,
    parse_range,
)
from quizzes.source_scoring.documents import iterate_documents
from quizzes.source_scoring.rules import LocatedRules, NotComparable, SourceRules, locate_rules

_ROOTS = frozenset(
    {"problem", "course", "chapter", "sequential", "vertical", "library", "library_content"}
)
_YES = frozenset({"true", "yes", "1"})
_QUOTED = re.compile(r"(?<!\\)(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\")")
_RANGE = re.compile(r"([\[(])([^,]+),([^,]+)([\])])")
_DEFAULT_MARGIN = "0.001%"  # for what computers write of a number
_ENDS_COUNT = "range_end_counts"
_ONE, _HALF = Fraction(1), Fraction(1, 2)


def read_olx(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each response of each problem."""
    for root, member in iterate_documents(data, _ROOTS):
        for problem in root.iter("problem"):
            responses = [node for node in problem.iter() if node.tag.endswith("response")]
            for node in responses:
                named = node if len(responses) > 1 else problem
                yield from locate_rules(member, get_line(named), partial(_read_rules, node))


def _read_rules(node: Element) -> SourceRules:
    reader = _READERS.get(node.tag)
    if reader is None:
        raise NotComparable("rule_unknown", node.tag)
    return reader(node)


def _read_single(node: Element) -> SourceRules:
    choices = [*node.iter("choice"), *node.iter("option")]
    texts = [read_text(choice) for choice in choices]
    shares = list(map(_read_share, choices))
    for field in node.iter("optioninput"):
        listed = [first or second for first, second in _QUOTED.findall(field.get("options", ""))]
        texts += listed
        shares += [Fraction(text == field.get("correct")) for text in listed]
    options = number_options(texts, [parse_boolean(text) for text in texts])
    return build_choice_rules(options, shares, many=False)


def _read_share(choice: Element) -> Fraction:
    correct = choice.get("correct", "").lower()
    if correct.startswith("part"):
        return parse_number(choice.get("point_value", "0.5")) or Fraction(0)
    return Fraction(correct in _YES)


def _read_check_boxes(node: Element) -> SourceRules:
    choices = list(node.iter("choice"))
    options = number_options([read_text(choice) for choice in choices])
    right = {
        option.id
        for option, choice in zip(options, choices, strict=True)
        if choice.get("correct", "").lower() in _YES
    }
    rule = _CHECK_BOXES.get(node.get("partial_credit", "").lower())
    if rule is None:
        raise NotComparable("rule_unknown", node.get("partial_credit", ""))

    def compute(chosen: frozenset[str]) -> Fraction:
        return rule(len(chosen ^ right), len(options)) if chosen or not right else Fraction(0)

    return build_choice_rules(options, [_ONE] * len(options), many=True, compute=compute)


def _score_halves(errors: int, count: int) -> Fraction:
    shares = [_ONE, _HALF if count > 2 else _ONE * 0, _HALF / 2 if count > 4 else _ONE * 0]  # noqa: PLR2004  as the rule counts
    return shares[errors] if errors < len(shares) else Fraction(0)


_CHECK_BOXES: Mapping[str, Callable[[int, int], Fraction]] = {
    "": lambda errors, _count: Fraction(errors == 0),
    "edc": lambda errors, count: Fraction(count - errors, count or 1),
    "halves": _score_halves,
}


def _read_words(node: Element) -> SourceRules:
    flags = node.get("type", "").lower().split()
    if "regexp" in flags:
        raise NotComparable("rule_unknown", "regexp")
    accepted = [SourceShare(text.strip().replace("*", r"\*"), _ONE) for text in _list_answers(node)]
    return build_word_rules(accepted, case="ci" not in flags)


def _list_answers(node: Element) -> Sequence[str]:
    more = (
        answer.get("answer") or read_text(answer) for answer in node.findall("additional_answer")
    )
    return [text for text in (node.get("answer", ""), *more) if text.strip()]


def _read_numbers(node: Element, codes: Collection[str] = ()) -> SourceRules:
    flags = {*re.split(r"[,\s]+", node.get("partial_credit", "").lower())} - {""}
    if flags - {"list"}:
        raise NotComparable("rule_unknown", node.get("partial_credit", ""))
    params = [*node.iter("responseparam")]
    listed = ",".join(param.get("partial_answers", "") for param in params if flags).split(",")
    margins = [param.get("default", "") for param in params if param.get("type") == "tolerance"]
    margin = next(iter(margins), node.get("tolerance", "")).strip() or _DEFAULT_MARGIN
    numbers = [_read_number(text, margin) for text in _list_answers(node)]
    numbers += [_read_number(text, margin, _HALF) for text in listed if text.strip()]
    if _ENDS_COUNT in codes:
        numbers = [replace(number, open_ends=frozenset()) for number in numbers]
    return replace(
        build_number_rules(numbers),
        noted_codes=frozenset({_ENDS_COUNT}),
        read_noted=partial(_read_numbers, node),
    )


def _read_number(text: str, margin: str, share: Fraction = _ONE) -> SourceNumber:
    if match := _RANGE.fullmatch(text.strip()):
        inside = parse_range(match[2], match[3], share)
        ends = zip((match[1], match[4]), map(parse_number, match.group(2, 3)), strict=True)
        is_open = frozenset(end for sign, end in ends if sign in "()" and end is not None)
        return replace(inside, open_ends=is_open)
    number, tolerance = parse_number(text), parse_number(margin.removesuffix("%") or "0")
    if tolerance is None:
        raise NotComparable("rule_unknown", margin[:200])
    unit = abs(number or Fraction(0)) / 100 if margin.endswith("%") else 1
    return parse_near(text, tolerance * Fraction(unit), share)


_READERS: Mapping[str, Callable[[Element], SourceRules]] = {
    "choiceresponse": _read_check_boxes,
    "multiplechoiceresponse": _read_single,
    "numericalresponse": _read_numbers,
    "optionresponse": _read_single,
    "stringresponse": _read_words,
    "truefalseresponse": _read_check_boxes,
}
