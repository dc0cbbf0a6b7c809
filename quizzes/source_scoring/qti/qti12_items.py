"""Items of QTI 1.2: the places to answer, and the conditions of each."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from html import unescape
from xml.etree.ElementTree import Element

from quizzes.formats.builders import strip_layout
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import get_line
from quizzes.source_scoring.documents import iterate_documents
from quizzes.source_scoring.qti.conditions import ConditionProcessing
from quizzes.source_scoring.rules import (
    BLANKS_IGNORED,
    LocatedRules,
    NotComparable,
    Shape,
    SourceAnswer,
    SourceOption,
    SourceRules,
    SourceSlot,
    ignore_end_blanks,
    locate_rules,
)

Compute = Callable[[SourceAnswer], Fraction]

_RESPONSES = frozenset({"response_lid", "response_str", "response_num"})
_TESTS = frozenset("varequal varlt varlte vargt vargte varsubstring".split())
_BLANKS = frozenset({"fill_in_multiple_blanks_question", "multiple_dropdowns_question"})
_ENDS_INCLUDED = "boundary_included"
_TAG = re.compile(r"<[^<>]*>")
_NUMBER_TYPES = frozenset({"decimal", "integer", "scientific"})


def read_qti12(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each item of a document or a package."""
    for root, member in iterate_documents(data, {"questestinterop"}):
        for item in root.iter("item"):
            yield from locate_rules(member, get_line(item), partial(read_rules, item))


def read_rules(item: Element, codes: Collection[str] = ()) -> SourceRules:
    """Return the rules of one item, as notes with these codes have them; else NotComparable."""
    presentation = item.find("presentation")
    nodes = [
        node
        for node in (() if presentation is None else presentation.iter())
        if node.tag.startswith("response_") and node.tag != "response_label"
    ]
    if not nodes or not {node.tag for node in nodes} <= _RESPONSES:
        raise NotComparable("rule_unknown", " ".join(node.tag for node in nodes)[:200])
    settings = list(item.iter("setvar"))
    if not settings:
        raise NotComparable("by_person" if nodes[0].tag == "response_str" else "no_rule")
    scores = {node.get("varname", "SCORE") for node in settings if parse_number(node.text or "")}
    if len(scores) > 1:
        raise NotComparable("rule_unknown", " ".join(sorted(scores))[:200])
    declared = next((n for n in item.iter("decvar") if n.get("varname", "SCORE") in scores), None)
    bounds = [
        None if declared is None else parse_number(declared.get(f"{side}value", ""))
        for side in ("min", "max")
    ]
    metadata = dict(_read_metadata(item))
    question_type = metadata.get("question_type", "")
    slots = tuple(_read_slot(node, item, question_type) for node in nodes)
    processing = ConditionProcessing(
        tuple(item.iter("respcondition")),
        frozenset(node.get("ident", "") for node in nodes if _is_number(node, question_type)),
        _list_idents(nodes, {"multiple", "ordered"}),
        _list_idents(nodes, {"ordered"}),
        minimum=bounds[0],
        maximum=bounds[1],
        trims="question_type" in metadata,  # Canvas
        includes_ends=_ENDS_INCLUDED in codes,
    )
    shape = Shape.SLOTS if question_type in _BLANKS else _choose_shape(nodes)
    compute: Compute = processing.compute
    unbounded: Compute | None = replace(processing, minimum=None, maximum=None).compute
    is_one_answer = len(slots) == 1 and not processing.numeric and not processing.multiple
    if BLANKS_IGNORED in codes:
        compute = ignore_end_blanks(compute, slots)
        unbounded = unbounded and ignore_end_blanks(unbounded, slots)
    maximum = _choose_maximum(bounds[1], settings, is_one_answer=is_one_answer)
    if shape == Shape.CHOICE and metadata.get("scoring_algorithm", "").lower() == "allornothing":
        compute, maximum = _require_everything(slots[0], compute), Fraction(1)
        unbounded = None
    return SourceRules(
        shape,
        slots,
        compute,
        maximum,
        unbounded,
        bounds[0],
        noted_codes=frozenset({_ENDS_INCLUDED, BLANKS_IGNORED}),
        read_noted=partial(read_rules, item),
    )


def _require_everything(slot: SourceSlot, compute: Compute) -> Compute:
    """Return the rule that only all options that earn something, and no other, earn anything."""
    right = {option.id for option in slot.options if compute({slot.response: (option.id,)}) > 0}
    return lambda answer: Fraction({*answer.get(slot.response, ())} == right)


def _choose_maximum(
    declared: Fraction | None, settings: list[Element], *, is_one_answer: bool
) -> Fraction | None:
    """Return the declared maximum; one that no condition comes near is that of another scale."""
    points = [
        -earned if node.get("action", "Set").lower() == "subtract" else earned
        for node in settings
        if (earned := parse_number(node.text or ""))
    ]
    earning = [earned for earned in points if earned > 0]
    total = max(earning, default=Fraction(0)) if is_one_answer else sum(earning, Fraction(0))
    return declared if declared is not None and 0 < declared <= total else None


def _choose_shape(nodes: list[Element]) -> Shape:
    first, *others = nodes
    if others or first.tag != "response_lid":
        return Shape.SLOTS
    is_ordered = first.get("rcardinality", "").lower() == "ordered"
    return Shape.ORDER if is_ordered else Shape.CHOICE


def _list_idents(nodes: list[Element], cardinalities: set[str]) -> frozenset[str]:
    return frozenset(
        node.get("ident", "")
        for node in nodes
        if node.get("rcardinality", "Single").lower() in cardinalities
    )


def _is_number(node: Element, question_type: str) -> bool:
    renders = (child.get("fibtype", "").lower() for child in node.iter("render_fib"))
    is_typed = node.tag != "response_lid"
    return node.tag == "response_num" or (
        is_typed
        and (question_type == "numerical_question" or not _NUMBER_TYPES.isdisjoint(renders))
    )


def _read_metadata(item: Element) -> Iterator[tuple[str, str]]:
    for node in item.iter("qtimetadatafield"):
        texts = {child.tag: read_text(child) for child in node}
        yield texts.get("fieldlabel", "").lower(), texts.get("fieldentry", "")


def _read_slot(node: Element, item: Element, question_type: str) -> SourceSlot:
    response = node.get("ident", "")
    options = tuple(_read_option(label) for label in node.iter("response_label"))
    text = " ".join(read_text(child) for child in node if child.tag in {"material", "flow"})
    if node.tag == "response_lid" and question_type != "fill_in_multiple_blanks_question":
        return SourceSlot(response, options, text=text)
    literals = [option.text for option in options]
    if node.tag != "response_lid":
        options = ()
        tests = (test for test in item.iter() if test.tag in _TESTS)
        literals = [
            strip_layout(test.text or "") for test in tests if test.get("respident") == response
        ]
    return SourceSlot(response, literals=tuple(dict.fromkeys(literals)), typed_options=options)


def _read_option(label: Element) -> SourceOption:
    # HTML stands as text within XML.
    text = " ".join(unescape(_TAG.sub(" ", read_text(label))).split())
    identifier = label.get("ident", "")
    truth = parse_boolean(text, letters=True)
    return SourceOption(
        identifier, text, parse_boolean(identifier, letters=True) if truth is None else truth
    )
