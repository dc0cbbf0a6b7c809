"""Texts with gaps of QTI 2 and 3: several interactions in one text, or one of many gaps."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Gap, Head, Option, build_cloze
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.percentages import in_proportion, snapped
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING, build_gap_name, placeholder
from quizzes.formats.qti.item import QtiItem
from quizzes.formats.qti.response_declarations import ResponseDeclaration
from quizzes.formats.qti.scoring_rules import ScoringRule
from quizzes.formats.qti.text_entry import FOLDING, read_accepted, read_accepted_rules, read_numbers

_STEP = Fraction(1, 1000)
_MAX_POINTS = 100


def read_cloze(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build a text with gaps; the prompt has a placeholder for each interaction."""
    prompt, gaps, case = head.prompt, [], False
    points = _read_points(item)
    for number, node in enumerate(item.interactions, start=1):
        name = build_gap_name(node.get("responseIdentifier", ""), number)
        prompt = prompt.replace(placeholder(number), f"[[{name}]]")
        gap, gap_case = _read_gap(item, node, Gap(name, points=points[number - 1]))
        case = case or gap_case
        gaps.append(gap)
    rules = item.processing.rules
    if any(len({*rule.responses}) not in {1, len(gaps)} for rule in rules):
        item.note(CUSTOM_SCORING, line=rules[0].line)
    is_whole = any(len(rule.responses) > 1 for rule in rules)
    return build_cloze(
        replace(head, prompt=prompt),
        gaps,
        scoring_method="all_or_nothing" if is_whole else "per_gap",
        case=case,
        **FOLDING,
    )


def read_gap_match(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build a text with gaps of which each may be filled with each of the words."""
    node = item.interactions[0]
    response, rules = item.find_response(node), item.find_rules(node)
    pairs = response.correct
    if {rule.basis for rule in rules} == {"map"} and response.mapping:
        pairs = tuple(pair for pair, points, _ in response.mapping.entries if points > 0)
    right = {gap: word for word, _, gap in (pair.partition(" ") for pair in pairs)}
    words = {child.get("identifier", ""): item.render_text(child) for child in node.iter("gapText")}
    prompt, gaps = head.prompt, []
    for number, child in enumerate(node.iter("gap"), start=1):
        identifier = child.get("identifier", "")
        name = build_gap_name(identifier, number)
        prompt = prompt.replace(placeholder(number), f"[[{name}]]")
        options = [
            Option(text, right=right.get(identifier) == word) for word, text in words.items()
        ]
        gaps.append(Gap(name, options=options))
    if not gaps or not all(any(option.right for option in gap.options) for gap in gaps):
        item.note("key_unknown")
    scoring_method = "per_gap" if any(rule.basis == "map" for rule in rules) else "all_or_nothing"
    return build_cloze(replace(head, prompt=prompt), gaps, scoring_method=scoring_method)


def _read_gap(item: QtiItem, node: Element, gap: Gap) -> tuple[Gap, bool]:
    """Return the gap with its key, and whether case counts in it."""
    response, rules = item.find_response(node), item.find_rules(node)
    if item.processing.rules and not rules:
        item.note(CUSTOM_SCORING, response.id, get_line(node))
    accepted_rules = read_accepted_rules(item, response, rules)
    if not any(rule.points for rule in accepted_rules):
        item.note("key_unknown", response.id)
    if node.tag == "inlineChoiceInteraction":
        if [rule.points for rule in accepted_rules if rule.points > 0] not in ([], [1]):
            item.note(CUSTOM_SCORING, response.id, get_line(node))
        right = {rule.operand for rule in accepted_rules if rule.points == 1}
        options = [
            Option(
                item.render_text(choice),
                right=choice.get("identifier") in right,
                feedback=item.use_value_feedback(response.id, choice.get("identifier", "")),
                line=get_line(choice),
            )
            for choice in node.iter("inlineChoice")
        ]
        return replace(gap, options=options), False
    if response.is_number:
        return replace(gap, numbers=list(read_numbers(item, response, accepted_rules))), False
    case, accepted = read_accepted(item, response, accepted_rules)
    return replace(gap, accepted=accepted), case


def _read_points(item: QtiItem) -> Sequence[int]:
    """Return the points of each gap in whole numbers."""
    amounts = [
        max(
            (_find_max_points(item.find_response(node), rule) for rule in item.find_rules(node)),
            default=Fraction(1),
        )
        for node in item.interactions
    ]
    if all(amount.denominator == 1 for amount in amounts):
        points = [int(amount) for amount in amounts]
    else:
        points = in_proportion([snapped(amount, _STEP) for amount in amounts])
    if all(0 < gap_points <= _MAX_POINTS for gap_points in points):
        return points
    if len(set(amounts)) > 1:
        item.note("gap_points_levelled")
    return [1] * len(amounts)


def _find_max_points(response: ResponseDeclaration, rule: ScoringRule) -> Fraction:
    if rule.basis != "map" or response.mapping is None:
        return rule.points
    points = [points for _, points, _ in response.mapping.entries]
    return response.mapping.clamp(max(points, default=Fraction(0)))
