"""Interactions of QTI 2 and 3 that are answered by choosing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import (
    Head,
    Option,
    SourceChoice,
    compute_full_points,
    exceeds_weights,
    share_points,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING
from quizzes.formats.qti.item import Interaction, QtiItem
from quizzes.formats.qti.response_declarations import ResponseDeclaration, ResponseMapping

Weights = Mapping[str, Fraction]
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class OptionShares:
    """What each option earns, or that only the complete answer does; and the least of an answer."""

    weights: Weights
    is_whole: bool = False
    lower_bound: Fraction | None = _ZERO


def read_choice(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read a choice or a statement; each option earns what the processing gives to it."""
    interaction = item.interactions[0]
    node, response = interaction.node, interaction.response
    many = response.cardinality == "multiple" or node.get("maxChoices", "1") != "1"
    many = many and response.cardinality != "single"
    choices = {child.get("identifier", ""): child for child in node.iter("simpleChoice")}
    shares = _read_shares(interaction, list(choices))
    weights, is_whole = shares.weights, shares.is_whole
    if not weights:
        item.note("key_unknown")
    none_apply = choices.pop(none_of_the_above.IDENTIFIER, None) is not None
    right = _find_right(response, weights, many=many)
    options = [
        Option(
            item.render_text(child),
            right=identifier in right,
            weight=None if is_whole else weights.get(identifier),
            feedback=_read_feedback(interaction, child),
            pinned=child.get("fixed") == "true",
            line=get_line(child),
        )
        for identifier, child in choices.items()
    ]
    source = SourceChoice(
        options,
        many=many,
        scoring_method="all_or_nothing" if is_whole or not weights else "",
        shuffle=node.get("shuffle") == "true",
        none_apply=none_apply,
        truths=() if none_apply else _read_truths(choices, options),
        keeps_words=True,
        lower_bound=shares.lower_bound,
    )
    return item.settle_choice(head, source)


def _find_right(response: ResponseDeclaration, weights: Weights, *, many: bool) -> set[str]:
    """Return the right options: the declared ones, unless their weights contradict."""
    if not many:
        return {identifier for identifier, weight in weights.items() if weight == 1}
    declared = {name for name in response.correct if weights.get(name, -1) >= 0}
    return declared or {identifier for identifier, weight in weights.items() if weight > 0}


def _read_truths(choices: Collection[str], options: Sequence[Option]) -> Sequence[bool | None]:
    """Return of each option whether it means true or false, by the identifiers or the texts."""
    if set(choices) == {"true", "false"}:
        return [identifier == "true" for identifier in choices]
    return [parse_boolean(option.text, letters=True) for option in options]


def _read_shares(interaction: Interaction, choices: Sequence[str]) -> OptionShares:
    """Return what each option earns, as the rules say it."""
    rules = interaction.rules
    if not rules or rules[0].basis == "correct":
        if len(rules) > 1:
            interaction.item.note(CUSTOM_SCORING, line=rules[1].line)
        right = {*interaction.response.correct} & {*choices}
        weights = {name: Fraction(name in right) for name in choices} if right else {}
        return OptionShares(weights, is_whole=True)
    shares = _compute_shares(interaction, choices)
    if not shares.weights:
        interaction.note_custom()
    return shares


def _compute_shares(interaction: Interaction, choices: Sequence[str]) -> OptionShares:
    """Return what each option earns; nothing if the rules are of different kinds."""
    response, bases, rules = interaction.response, interaction.bases, interaction.rules
    is_single = response.cardinality == "single"
    mapping, limit, lower = response.mapping, None, None
    if bases == {"map"} and mapping and (mapping.lower or 0) <= 0:
        mapped = {value: points for value, points, _ in mapping.entries}
        points = {name: mapped.get(name, mapping.default) for name in choices}
        lower = mapping.lower
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
        return OptionShares({})
    if not points:
        return OptionShares({})
    if limit is not None and max(points.values()) > limit and min(points.values()) < 0:
        return OptionShares({})  # one that earns more than everything makes up for what others cost
    full = compute_full_points(points, many=not is_single, maximum=limit)
    if exceeds_weights(points, full, lower if is_single else None):
        interaction.item.note("cost_limited", line=rules[0].line)
    weights = share_points(points, many=not is_single, maximum=limit)
    return OptionShares(weights, lower_bound=lower and lower / (full or 1))


def _clamp(mapping: ResponseMapping, points: Fraction) -> Fraction:
    """Return the points within the bounds; a lower bound of 0 counts for the whole score only."""
    return min(points, mapping.upper or points) if mapping.lower == 0 else mapping.clamp(points)


def _read_feedback(interaction: Interaction, child: Element) -> str:
    item, identifier = interaction.item, child.get("identifier", "")
    texts = [item.render_text(feedback) for feedback in child.iter("feedbackInline")]
    if item.processing.echoes_answer:
        texts.append(item.use_feedback(identifier))
    texts.append(interaction.use_feedback(identifier))
    return "\n\n".join(filter(None, texts))
