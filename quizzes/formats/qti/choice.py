"""Interactions of QTI 2 and 3 that are answered by choosing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Head, Option, build_choice, build_true_false
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING, compute_credit
from quizzes.formats.qti.item import QtiItem
from quizzes.formats.qti.response_declarations import ResponseDeclaration, ResponseMapping
from quizzes.formats.qti.scoring_rules import ScoringRule

Weights = Mapping[str, Fraction]


def read_choice(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build a choice or a statement; each option earns what the processing gives to it."""
    node = item.interactions[0]
    response = item.find_response(node)
    many = response.cardinality == "multiple" or node.get("maxChoices", "1") != "1"
    many = many and response.cardinality != "single"
    choices = {child.get("identifier", ""): child for child in node.iter("simpleChoice")}
    weights, is_whole = _read_weights(item, response, item.find_rules(node), list(choices))
    if not many and sum(weight == 1 for weight in weights.values()) > 1:
        item.note("several_right_options")
        weights = {}
    if not weights:
        item.note("key_unknown")
    none_apply = choices.pop(none_of_the_above.IDENTIFIER, None) is not None
    right = _find_right(response, weights, many=many)
    truths = _find_truths(item, choices)
    if truths and right and is_whole and not none_apply and not many:
        sides = {truth: choices[identifier] for truth, identifier in truths.items()}
        feedback = {truth: _read_feedback(item, response, side) for truth, side in sides.items()}
        words = item.render_text(sides[True]), item.render_text(sides[False])
        return build_true_false(head, right=truths[True] in right, feedback=feedback, words=words)
    options = [
        Option(
            item.render_text(child),
            right=identifier in right,
            weight=None if is_whole else weights.get(identifier),
            feedback=_read_feedback(item, response, child),
            pinned=child.get("fixed") == "true",
            line=get_line(child),
        )
        for identifier, child in choices.items()
    ]
    return build_choice(
        head,
        options,
        many=many,
        scoring_method="all_or_nothing" if is_whole or not weights else "",
        shuffle=node.get("shuffle") == "true",
        none_apply=none_apply,
    )


def _find_right(response: ResponseDeclaration, weights: Weights, *, many: bool) -> set[str]:
    """Return the right options: the declared ones, unless their weights contradict."""
    if not many:
        return {identifier for identifier, weight in weights.items() if weight == 1}
    declared = {name for name in response.correct if weights.get(name, -1) >= 0}
    return declared or {identifier for identifier, weight in weights.items() if weight > 0}


def _find_truths(item: QtiItem, choices: Mapping[str, Element]) -> Mapping[bool, str]:
    """Return the identifiers of the options for true and false; nothing if there are others."""
    if set(choices) == {"true", "false"}:
        return {True: "true", False: "false"}
    truths = {
        parse_boolean(item.render_text(child), letters=True): identifier
        for identifier, child in choices.items()
    }
    if len(choices) != 2 or truths.keys() != {True, False}:  # noqa: PLR2004  true and false
        return {}
    return {truth: truths[truth] for truth in (True, False)}


def _read_weights(
    item: QtiItem,
    response: ResponseDeclaration,
    rules: Sequence[ScoringRule],
    choices: Sequence[str],
) -> tuple[Weights, bool]:
    """Return the weight of each option, and whether only the whole answer earns anything."""
    if not rules or rules[0].basis == "correct":
        if len(rules) > 1:
            item.note(CUSTOM_SCORING, line=rules[1].line)
        right = {*response.correct} & {*choices}
        return ({name: Fraction(name in right) for name in choices} if right else {}), True
    weights = _compute_weights(response, rules, choices)
    if not weights:
        item.note(CUSTOM_SCORING, rules[0].basis, rules[0].line)
    return weights, False


def _compute_weights(
    response: ResponseDeclaration, rules: Sequence[ScoringRule], choices: Sequence[str]
) -> Weights:
    """Return the weight of each option; none if the rules are of different kinds."""
    is_single = response.cardinality == "single"
    bases, mapping, limit = {rule.basis for rule in rules}, response.mapping, None
    if bases == {"map"} and mapping and (mapping.lower or 0) <= 0:
        mapped = {value: points for value, points, _ in mapping.entries}
        points = {name: mapped.get(name, mapping.default) for name in choices}
        if is_single:
            points = {name: _clamp(mapping, earned) for name, earned in points.items()}
        else:
            limit = mapping.upper
    elif bases == ({"value"} if is_single else {"member"}):
        points = dict.fromkeys(choices, Fraction(0))
        for rule in reversed(rules) if is_single else rules:  # of several values, the first counts
            if rule.operand in points:
                points[rule.operand] = rule.points
    else:
        return {}
    positive = [earned for earned in points.values() if earned > 0]
    if not positive:
        return {}
    full = max(positive) if is_single else sum(positive, Fraction(0))
    full = min(full, limit) if limit and limit > 0 else full
    return {name: compute_credit(earned, full) for name, earned in points.items()}


def _clamp(mapping: ResponseMapping, points: Fraction) -> Fraction:
    """Return the points within the bounds; a lower bound of 0 counts for the whole score only."""
    return min(points, mapping.upper or points) if mapping.lower == 0 else mapping.clamp(points)


def _read_feedback(item: QtiItem, response: ResponseDeclaration, child: Element) -> str:
    identifier = child.get("identifier", "")
    texts = [item.render_text(feedback) for feedback in child.iter("feedbackInline")]
    if item.processing.echoes_answer:
        texts.append(item.use_feedback(identifier))
    texts.append(item.use_value_feedback(response.id, identifier))
    return "\n\n".join(filter(None, texts))
