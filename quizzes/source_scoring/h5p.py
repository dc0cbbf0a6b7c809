"""The rules of H5P content: a point for each right option or gap, as its libraries count them."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from html import unescape

from quizzes.formats.contract import FileError
from quizzes.formats.h5p.content_parts import ContentPart, split_content
from quizzes.formats.h5p.package import CONTENT, open_h5p
from quizzes.formats.parsing.json_tree import JsonNode
from quizzes.source_scoring.answer_credits import (
    Compute,
    build_choice_rules,
    build_slot_rules,
    number_options,
)
from quizzes.source_scoring.rules import (
    LocatedRules,
    NotComparable,
    SourceRules,
    SourceSlot,
    clamp_share,
    locate_rules,
)

_TAG = re.compile(r"<[^<>]*>")
_GAP = re.compile(r"\*([^*]+)\*")
_ALTERNATIVES = re.compile(r"(?<!\\)/")
_ALL = 100


def read_h5p(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each part of a content."""
    package = open_h5p(data)
    if isinstance(package, FileError):
        return
    library = package.metadata.get("mainLibrary").text()
    parts = split_content(ContentPart(library, package.content, "", package.content))
    for part in parts:
        if isinstance(part, ContentPart):
            yield from locate_rules(CONTENT, part.node.line, partial(_read_rules, part))


def _read_rules(part: ContentPart) -> SourceRules:
    reader = _READERS.get(part.library)
    if reader is None:
        raise NotComparable("rule_unknown", part.library)
    return reader(part.params)


def _read_text(node: JsonNode) -> str:
    return " ".join(unescape(_TAG.sub(" ", node.text())).split())


def _read_multiple(params: JsonNode) -> SourceRules:
    answers, behaviour = params.get("answers").items, params.get("behaviour")
    options = number_options([_read_text(answer.get("text")) for answer in answers])
    marks = [answer.get("correct").flag(default=False) for answer in answers]
    right = {option.id for option, mark in zip(options, marks, strict=True) if mark}
    single = behaviour.get("singlePoint").flag(default=False)
    if single and (behaviour.get("passPercentage").number() or _ALL) < _ALL:
        raise NotComparable("rule_unknown", "passPercentage")
    kind = behaviour.get("type").text()
    many = kind == "multi" or (kind != "single" and len(right) != 1)

    def compute(chosen: frozenset[str]) -> Fraction:
        if not right:
            return Fraction(not chosen)
        share = clamp_share(Fraction(len(chosen & right) - len(chosen - right), len(right)))
        return Fraction(share == 1) if single else share

    shares = [Fraction(mark) for mark in marks]
    return build_choice_rules(options, shares, many=many, compute=compute if many else None)


def _read_true_false(params: JsonNode) -> SourceRules:
    right = params.get("correct").text() == "true"
    options = number_options(["true", "false"], [True, False])
    return build_choice_rules(options, [Fraction(right), Fraction(not right)], many=False)


def _read_single(params: JsonNode) -> SourceRules:
    options = number_options([_read_text(answer) for answer in params.get("answers").items])
    shares = [Fraction(place == 0) for place, _ in enumerate(options)]
    return build_choice_rules(options, shares, many=False)


def _read_blanks(params: JsonNode) -> SourceRules:
    behaviour = params.get("behaviour")
    if behaviour.get("acceptSpellingErrors").flag(default=False):
        raise NotComparable("rule_unknown", "acceptSpellingErrors")
    case = behaviour.get("caseSensitive").flag(default=True)
    slots, computes = list[SourceSlot](), dict[str, Compute]()
    for block in params.get("questions").items:
        for gap in _GAP.findall(block.text()):
            words = unescape(_TAG.sub("", gap)).partition(":")[0]
            accepted = [part.replace("\\/", "/").strip() for part in _ALTERNATIVES.split(words)]
            place = str(len(slots))
            slots.append(SourceSlot(place, literals=tuple(accepted)))
            computes[place] = _build_rule(frozenset(accepted), case=case)
    return build_slot_rules(slots, computes, dict.fromkeys(computes, Fraction(1)))


def _build_rule(accepted: frozenset[str], *, case: bool) -> Compute:
    words = accepted if case else frozenset(map(str.lower, accepted))
    return lambda typed: Fraction((typed if case else typed.lower()).strip() in words)


_READERS: Mapping[str, Callable[[JsonNode], SourceRules]] = {
    "H5P.Blanks": _read_blanks,
    "H5P.MultiChoice": _read_multiple,
    "H5P.SingleChoiceSet": _read_single,
    "H5P.TrueFalse": _read_true_false,
}
