"""Interactions of QTI 2 and 3 that are answered by choosing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Head, Option, build_choice, build_true_false
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.percentages import snapped
from quizzes.formats.qti.interactions import Award, line_of
from quizzes.formats.qti.item import Source
from quizzes.formats.qti.response_declarations import Declared
from quizzes.formats.qti.response_declarations import Mapping as Mapped

_STEP = Fraction(1, 1000)
_VALUES = (True, False)
Weights = Mapping[str, Fraction]


def choice_of(source: Source, head: Head, node: Element) -> ParsedQuestion:
    """Build a choice; what each option is worth, as the processing says."""
    response = source.response(node)
    many = response.cardinality == "multiple" or node.get("maxChoices", "1") != "1"
    many = many and response.cardinality != "single"
    labels = {child.get("identifier", ""): child for child in node.iter("simpleChoice")}
    weights, is_whole = _weights(source, response, source.awards(node), list(labels))
    if not many and sum(weight == 1 for weight in weights.values()) > 1:
        source.note("several_right_options")
        weights = {}
    if not weights:
        source.note("key_unknown")
    none = labels.pop(none_of_the_above.IDENTIFIER, None) is not None
    right = _right(response, weights, many=many)
    sides = _truths(source, labels)
    if sides and right and is_whole and not none and not many:
        is_true = sides[True].get("identifier") in right
        return _statement(source, head, response.id, sides, right=is_true)
    options = [
        Option(
            source.text(label),
            right=id_ in right,
            weight=None if is_whole else weights.get(id_),
            feedback=_said(source, response.id, label),
            pinned=label.get("fixed") == "true",
            line=line_of(label),
        )
        for id_, label in labels.items()
    ]
    shuffle = node.get("shuffle") == "true"
    scoring_method = "all_or_nothing" if is_whole or not weights else ""
    return build_choice(
        head, options, many=many, scoring_method=scoring_method, shuffle=shuffle, none_apply=none
    )


def _right(response: Declared, weights: Weights, *, many: bool) -> set[str]:
    """Tell which are right: as declared, where what they weigh does not tell otherwise."""
    if not many:
        return {id_ for id_, weight in weights.items() if weight == 1}
    declared = set(response.correct) & {id_ for id_, weight in weights.items() if weight >= 0}
    return declared or {id_ for id_, weight in weights.items() if weight > 0}


def _truths(source: Source, labels: Mapping[str, Element]) -> Mapping[bool, Element]:
    """Give the options for true and for false where these are all there is; else nothing."""
    if set(labels) == {"true", "false"}:
        return {True: labels["true"], False: labels["false"]}
    sides = {parse_boolean(source.text(label), letters=True): label for label in labels.values()}
    if len(labels) == len(sides) == len(_VALUES) and None not in sides:
        return {value: sides[value] for value in _VALUES}
    return {}


def _statement(
    source: Source, head: Head, response: str, sides: Mapping[bool, Element], *, right: bool
) -> ParsedQuestion:
    feedback = {value: _said(source, response, side) for value, side in sides.items()}
    words = source.text(sides[True]), source.text(sides[False])
    return build_true_false(head, right=right, feedback=feedback, words=words)


def _weights(
    source: Source, response: Declared, awards: Sequence[Award], ids: Sequence[str]
) -> tuple[Weights, bool]:
    """Give what each option is worth, and whether only the whole answer earns anything."""
    if not awards or awards[0].how == "correct":
        if len(awards) > 1:
            source.note("custom_response_processing", line=awards[1].line)
        right = set(response.correct) & set(ids)
        return ({id_: Fraction(id_ in right) for id_ in ids} if right else {}), True
    amounts = _amounts(response, awards, ids)
    if amounts is None:
        source.note("custom_response_processing", awards[0].how, awards[0].line)
        return {}, False
    return amounts, False


def _amounts(response: Declared, awards: Sequence[Award], ids: Sequence[str]) -> Weights | None:
    single = response.cardinality == "single"
    if {award.how for award in awards} == {"map"} and response.mapping:
        mapping = response.mapping
        mapped = {key: value for key, value, _ in mapping.entries}
        amounts = {id_: mapped.get(id_, mapping.default) for id_ in ids}
        if (mapping.lower or 0) > 0:
            return None
        if single:
            amounts = {id_: _within(mapping, value) for id_, value in amounts.items()}
        limit = None if single else mapping.upper
    elif {award.how for award in awards} == ({"value"} if single else {"has"}):
        amounts = dict.fromkeys(ids, Fraction(0))
        for award in reversed(awards) if single else awards:  # of several values, the first counts
            amounts[award.value] = award.amount
        amounts, limit = {id_: amounts[id_] for id_ in ids}, None
    else:
        return None
    return _shares(amounts, limit, single=single)


def _within(mapping: Mapped, value: Fraction) -> Fraction:
    """Keep a value within the bounds; nobody falls below nothing here, so that says nothing."""
    return min(value, mapping.upper or value) if mapping.lower == 0 else mapping.within(value)


def _shares(amounts: Weights, limit: Fraction | None, *, single: bool) -> Weights | None:
    good = [value for value in amounts.values() if value > 0]
    if not good:
        return None
    full = max(good) if single else sum(good, Fraction(0))
    full = full if limit is None or limit <= 0 else min(full, limit)
    shares = {id_: min(snapped(value / full, _STEP), Fraction(1)) for id_, value in amounts.items()}
    return {id_: max(share, Fraction(-1)) for id_, share in shares.items()}


def _said(source: Source, response: str, option: Element) -> str:
    ident = option.get("identifier", "")
    own = [source.text(node) for node in option.iter("feedbackInline")]
    if source.scoring.echoed:
        own.append(source.said(ident))
    own.append(source.said_to(response, ident))
    return "\n\n".join(filter(None, own))
