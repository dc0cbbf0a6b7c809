"""Items of QTI 2 and 3: the places to answer, and the response processing of each."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from xml.etree.ElementTree import Element

from quizzes.formats.builders import strip_layout
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.qti_versions import spell_as_qti2
from quizzes.source_scoring.documents import iterate_documents
from quizzes.source_scoring.qti.processing import SCORE, QtiProcessing, read_processing
from quizzes.source_scoring.rules import (
    BLANKS_IGNORED,
    LocatedRules,
    NotComparable,
    Shape,
    SourceOption,
    SourceRules,
    SourceSlot,
    ignore_end_blanks,
    locate_rules,
)

_ROOTS = frozenset(
    {"assessmentItem", "assessmentTest"} | {"qti-assessment-item", "qti-assessment-test"}
)
_ENDS_INCLUDED = "boundary_included"
_INLINE = frozenset({"inlineChoiceInteraction", "textEntryInteraction"})


def read_qti(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each item of a document or a package."""
    for root, member in iterate_documents(data, _ROOTS):
        spell_as_qti2(root)
        for node in root.iter("assessmentItem"):
            yield from locate_rules(member, get_line(node), partial(read_rules, node))


def read_rules(item: Element, codes: Collection[str] = ()) -> SourceRules:
    """Return the rules of one item, as notes with these codes have them; else NotComparable."""
    body = item.find("itemBody")
    interactions = [
        node for node in (() if body is None else body.iter()) if node.tag.endswith("Interaction")
    ]
    tags = {node.tag for node in interactions}
    if "extendedTextInteraction" in tags:
        raise NotComparable("by_person")
    if not interactions or (len(interactions) > 1 and not tags <= _INLINE):
        raise NotComparable("rule_unknown", " ".join(sorted(tags)))
    processing = read_processing(item)
    if _ENDS_INCLUDED in codes:
        processing = processing.include_ends()
    if tags <= _INLINE:
        slots = tuple(_read_inline(node, processing) for node in interactions)
        rules = _build_rules(item, Shape.SLOTS, slots, processing)
        return _trim(rules) if BLANKS_IGNORED in codes else rules
    reader = _READERS.get(interactions[0].tag)
    if reader is None:
        raise NotComparable("rule_unknown", interactions[0].tag)
    shape, slots = reader(interactions[0])
    return _build_rules(item, shape, slots, processing)


def _trim(rules: SourceRules) -> SourceRules:
    unbounded = rules.compute_unbounded
    return replace(
        rules,
        compute=ignore_end_blanks(rules.compute, rules.slots),
        compute_unbounded=unbounded and ignore_end_blanks(unbounded, rules.slots),
    )


def _build_rules(
    item: Element, shape: Shape, slots: tuple[SourceSlot, ...], processing: QtiProcessing
) -> SourceRules:
    lowest, highest = processing.bounds
    return SourceRules(
        shape,
        slots,
        processing.compute,
        _read_maximum(item),
        processing.ignore_bounds().compute,
        lowest,
        highest,
        is_standard=bool(processing.template),
        noted_codes=frozenset({_ENDS_INCLUDED, BLANKS_IGNORED}),
        read_noted=partial(read_rules, item),
    )


def _read_maximum(item: Element) -> Fraction | None:
    """Return the score for everything, where the item declares it."""
    for node in item.findall("outcomeDeclaration"):
        if node.get("identifier") == "MAXSCORE":
            return parse_number(read_text(node))
        if node.get("identifier") == SCORE and (limit := node.get("normalMaximum")):
            return parse_number(limit)
    return None


def _read_options(node: Element, tag: str) -> tuple[SourceOption, ...]:
    choices = list(node.iter(tag))
    identifiers = {choice.get("identifier", "") for choice in choices}
    return tuple(
        SourceOption(
            choice.get("identifier", ""),
            read_text(choice),
            parse_boolean(
                choice.get("identifier", "")
                if identifiers == {"true", "false"}
                else read_text(choice),
                letters=True,
            ),
        )
        for choice in choices
    )


def _read_inline(node: Element, processing: QtiProcessing) -> SourceSlot:
    response = node.get("responseIdentifier", "")
    if node.tag == "inlineChoiceInteraction":
        return SourceSlot(response, _read_options(node, "inlineChoice"))
    declaration = processing.responses.get(response)
    if declaration is None:
        raise NotComparable("rule_unknown", response)
    mapping = declaration.mapping
    entries = [] if mapping is None else list(mapping.iter("mapEntry"))
    literals = [*declaration.correct, *(entry.get("mapKey", "") for entry in entries)]
    literals += [
        strip_layout(value.text or "")
        for value in processing.node.iter("baseValue")
        if value.get("baseType") == declaration.base_type
    ]
    return SourceSlot(response, literals=tuple(dict.fromkeys(literals)))


def _read_choice(node: Element) -> tuple[Shape, tuple[SourceSlot, ...]]:
    slot = SourceSlot(node.get("responseIdentifier", ""), _read_options(node, "simpleChoice"))
    return Shape.CHOICE, (slot,)


def _read_order(node: Element) -> tuple[Shape, tuple[SourceSlot, ...]]:
    return Shape.ORDER, _read_choice(node)[1]


def _read_pairs(node: Element) -> tuple[Shape, tuple[SourceSlot, ...]]:
    lefts, rights = (
        _read_options(match_set, "simpleAssociableChoice")
        for match_set in ([*node.iter("simpleMatchSet"), node, node])[:2]
    )
    response = node.get("responseIdentifier", "")
    slots = (SourceSlot(response, rights, f"{left.id} {{}}", left.text) for left in lefts)
    return Shape.SLOTS, tuple(slots)


def _read_gap_match(node: Element) -> tuple[Shape, tuple[SourceSlot, ...]]:
    words, response = _read_options(node, "gapText"), node.get("responseIdentifier", "")
    gaps = (gap.get("identifier", "") for gap in node.iter("gap"))
    return Shape.SLOTS, tuple(SourceSlot(response, words, f"{{}} {gap}") for gap in gaps)


_READERS: Mapping[str, Callable[[Element], tuple[Shape, tuple[SourceSlot, ...]]]] = {
    "choiceInteraction": _read_choice,
    "gapMatchInteraction": _read_gap_match,
    "matchInteraction": _read_pairs,
    "orderInteraction": _read_order,
}
