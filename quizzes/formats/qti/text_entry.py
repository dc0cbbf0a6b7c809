"""Interactions of QTI 2 and 3 that are answered in words and numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from quizzes.formats.builders import Accepted, Head, Number, build_numeric, build_short_text
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.numbers import between, parse_number, written
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING, compute_credit, escape_accepted
from quizzes.formats.qti.item import QtiItem
from quizzes.formats.qti.response_declarations import ResponseDeclaration
from quizzes.formats.qti.scoring_rules import ScoringRule

_DECIMAL = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?", re.ASCII)
FOLDING = {"accents": True, "spaces": True, "punctuation": True}


def read_text_entry(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build a short text or a number, by the base type of the response."""
    node = item.interactions[0]
    response = item.find_response(node)
    accepted_rules = read_accepted_rules(item, response, item.find_rules(node))
    if not any(rule.points for rule in accepted_rules):
        item.note("key_unknown")
    head = replace(head, told={**head.told, "otherwise": item.use_score_feedback(0)})
    if response.is_number:
        return build_numeric(head, list(read_numbers(item, response, accepted_rules)))
    case, accepted = read_accepted(item, response, accepted_rules)
    return build_short_text(head, accepted, case=case, **FOLDING)


def read_accepted_rules(
    item: QtiItem, response: ResponseDeclaration, rules: Sequence[ScoringRule]
) -> list[ScoringRule]:
    """Return a rule for each accepted value, whose points are its share of the full points."""
    if not rules:
        return [
            ScoringRule("value", (response.id,), Fraction(1), 0, value)
            for value in response.correct
        ]
    rules = list(_read_values(item, response, rules))
    full = max((rule.points for rule in rules), default=Fraction(0))
    if any(rule.points < 0 for rule in rules):
        item.note("negative_credit", response.id)
    return [
        replace(rule, points=compute_credit(rule.points, full) if full else full)
        for rule in rules
        if rule.points >= 0
    ]


def _read_values(
    item: QtiItem, response: ResponseDeclaration, rules: Sequence[ScoringRule]
) -> Iterator[ScoringRule]:
    for rule in rules:
        if rule.basis == "correct":
            yield from (replace(rule, operand=value) for value in response.correct)
        elif rule.basis == "map" and response.mapping:
            yield from _read_mapping(item, response, rule)
        elif rule.basis == "value":
            yield rule
        else:
            item.note(CUSTOM_SCORING, rule.basis, rule.line)


def _read_mapping(
    item: QtiItem, response: ResponseDeclaration, rule: ScoringRule
) -> Iterator[ScoringRule]:
    """Yield a rule for each entry, and one for any other text; an empty answer earns nothing."""
    mapping = response.mapping
    if mapping is None:
        return
    default = mapping.clamp(mapping.default)
    if (mapping.lower or 0) > 0 or (default > 0 and response.is_number):
        item.note(CUSTOM_SCORING, "defaultValue", rule.line)
        default = Fraction(0)
    for value, points, case in mapping.entries:
        if value:
            yield replace(rule, operand=value, points=mapping.clamp(points), case=case)
    if default > 0:
        yield replace(
            rule, operand="", points=default, case=any(case for _, _, case in mapping.entries)
        )


def read_accepted(
    item: QtiItem, response: ResponseDeclaration, accepted_rules: Sequence[ScoringRule]
) -> tuple[bool, list[Accepted]]:
    """Return whether case counts, and the answers; patterns where it counts for some only."""
    cases = {rule.case for rule in accepted_rules}
    accepted: dict[str, Accepted] = {}
    for rule in accepted_rules:
        pattern = len(cases) > 1 and not rule.case
        text = _build_pattern(rule.operand) if pattern else escape_accepted(rule.operand)
        feedback = item.use_value_feedback(response.id, rule.operand)
        answer = Accepted(text if rule.operand else "*", rule.points, feedback, pattern)
        accepted.setdefault(answer.text, answer)
    return True in cases, list(accepted.values())


def _build_pattern(text: str) -> str:
    """Return a regular expression for a text in which case does not count."""
    return "".join(map(_build_character_pattern, text))


def _build_character_pattern(character: str) -> str:
    lower, upper = character.lower(), character.upper()
    if lower != upper and len(lower) == len(upper) == 1:
        return f"[{upper}{lower}]"
    return character if character.isalnum() or character.isspace() else f"\\{character}"


def read_numbers(
    item: QtiItem, response: ResponseDeclaration, accepted_rules: Sequence[ScoringRule]
) -> Iterator[Number]:
    """Yield each accepted number with its tolerance."""
    for rule in accepted_rules:
        number = parse_number(rule.operand)
        if number is None:
            item.note("key_unknown", rule.operand)
            continue
        feedback = item.use_value_feedback(response.id, rule.operand)
        mode, below, above = rule.tolerance
        low, high = parse_number(below or "0"), parse_number(above or "0")
        if low is None or high is None or mode not in {"", "exact", "absolute", "relative"}:
            item.note(CUSTOM_SCORING, f"{mode} {below} {above}")
            low = high = Fraction(0)
        if mode in {"", "exact"}:
            tolerance, text, margin = "exact", _write_number(rule.operand), ""
        elif low == high and low:
            tolerance, text = mode, _write_number(rule.operand)
            margin = _write_number(below) if mode == "absolute" else written(low / 100)
        else:
            unit = abs(number) / 100 if mode == "relative" else 1
            tolerance, text, margin = between(number, number - low * unit, number + high * unit)
        yield Number(text, tolerance, margin, rule.points, feedback)


def _write_number(text: str) -> str:
    """Return a number as the file has it, if a question can have it so."""
    text = text.strip()
    return text if _DECIMAL.fullmatch(text) else written(parse_number(text) or Fraction(0))
