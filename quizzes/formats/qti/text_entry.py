"""Interactions of QTI 2 and 3 that are answered in words and numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from quizzes.formats.builders import (
    END_BLANKS_IGNORED,
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    are_end_blanks_ignored,
    build_numeric,
    build_short_text,
    build_strict_comparison,
    settle_typed_bound,
)
from quizzes.formats.builders.answer_settling import ANY_NUMBER, ANYTHING, settle_gap
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.numbers import build_tolerance, format_number, parse_number
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING, compute_credit, escape_accepted
from quizzes.formats.qti.item import Interaction, QtiItem
from quizzes.formats.qti.response_declarations import ResponseMapping
from quizzes.formats.qti.scoring_rules import ScoringRule

ANY_OTHER = ""
"""The operand of a rule for whatever no other rule names."""
_DECIMAL = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?", re.ASCII)


def read_text_entry(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read a short text or a number, by the base type of the response."""
    interaction = item.interactions[0]
    gap = read_gap(interaction, Gap(""))
    head = replace(head, other_texts={**head.other_texts, "otherwise": item.use_score_feedback(0)})
    bound, notes = settle_typed_bound(gap.answers, line=item.node.line)
    item.add_notes(notes)
    if interaction.response.is_number:
        return build_numeric(head, gap.numbers, bound=bound)
    return build_short_text(head, gap.accepted, **gap.comparison, **bound)


def read_gap(interaction: Interaction, gap: Gap) -> Gap:
    """Return a gap with the key of an interaction, and how words are compared in it."""
    item, node, response = interaction.item, interaction.node, interaction.response
    if item.processing.rules and not interaction.rules:
        item.note(CUSTOM_SCORING, response.id, get_line(node))
    answers = _read_answers(interaction)
    if node.tag == "inlineChoiceInteraction":
        gap = replace(gap, options=list(_read_options(interaction, answers)))
    elif response.is_number:
        gap = replace(gap, numbers=list(_read_numbers(interaction, answers)))
    else:
        texts = [answer.operand for answer in answers]
        case = any(answer.case for answer in answers)
        comparison = build_strict_comparison(case=case, texts=texts)
        if are_end_blanks_ignored(texts):
            item.note(END_BLANKS_IGNORED, line=get_line(node))
        accepted = _read_accepted(interaction, answers)
        gap = replace(gap, accepted=accepted, comparison=comparison)
    gap, notes = settle_gap(gap, line=item.node.line, quote=response.id if gap.placeholder else "")
    item.add_notes(notes)
    return gap


def _read_options(interaction: Interaction, answers: Sequence[ScoringRule]) -> Iterator[Option]:
    """Yield each choice with its weight; one that a mapping does not name has its default."""
    item, node = interaction.item, interaction.node
    weights = {answer.operand: answer.points for answer in answers}
    if len(weights) < len(answers):
        item.note(CUSTOM_SCORING, interaction.response.id, get_line(node))
    choices = {choice.get("identifier", ""): choice for choice in node.iter("inlineChoice")}
    earned = {name: weights.get(name, weights.get(ANY_OTHER)) for name in choices}
    # A default that no choice has counts for nothing.
    best = max(filter(None, earned.values()), default=Fraction(0))
    for name, choice in choices.items():
        weight = earned[name]
        yield Option(
            item.render_text(choice),
            weight=compute_credit(weight, best) if weight is not None and best > 0 else weight,
            feedback=interaction.use_feedback(name),
            line=get_line(choice),
        )


def _read_answers(interaction: Interaction) -> list[ScoringRule]:
    """Return a rule for each accepted value, whose points are its share of the full points."""
    response = interaction.response
    if not interaction.rules:
        correct = ScoringRule("correct", (response.id,), Fraction(1), 0)
        return [replace(correct, operand=value) for value in response.correct]
    answers = list(_read_values(interaction))
    full = max((answer.points for answer in answers), default=Fraction(0))
    if full <= 0:
        return []
    return [replace(answer, points=compute_credit(answer.points, full)) for answer in answers]


def _read_values(interaction: Interaction) -> Iterator[ScoringRule]:
    response = interaction.response
    for rule in interaction.rules:
        if rule.basis == "correct":
            yield from (replace(rule, operand=value) for value in response.correct)
        elif rule.basis == "map" and response.mapping:
            yield from _read_mapping(interaction, response.mapping, rule)
        elif rule.basis == "value":
            yield rule
        else:
            interaction.item.note(CUSTOM_SCORING, rule.basis, rule.line)


def _read_mapping(
    interaction: Interaction, mapping: ResponseMapping, rule: ScoringRule
) -> Iterator[ScoringRule]:
    """Yield a rule for each entry, and one for any other text; an empty answer earns nothing."""
    default = mapping.clamp(mapping.default)
    if (mapping.lower or 0) > 0:
        interaction.item.note(CUSTOM_SCORING, "defaultValue", rule.line)
        default = Fraction(0)
    for value, points, case in mapping.entries:
        if value:
            yield replace(rule, operand=value, points=mapping.clamp(points), case=case)
    if default:
        case = any(case for _, _, case in mapping.entries)
        yield replace(rule, operand=ANY_OTHER, points=default, case=case)


def _read_accepted(interaction: Interaction, answers: Sequence[ScoringRule]) -> list[Accepted]:
    """Return the accepted texts; patterns where case counts for some only."""
    is_mixed = len({answer.case for answer in answers}) > 1
    accepted: dict[str, Accepted] = {}
    for answer in answers:
        pattern = is_mixed and not answer.case
        text = build_pattern(answer.operand) if pattern else escape_accepted(answer.operand)
        feedback = interaction.use_feedback(answer.operand)
        accepted.setdefault(text, Accepted(text or ANYTHING, answer.points, feedback, pattern))
    return list(accepted.values())


def build_pattern(text: str) -> str:
    """Return a regular expression for a text in which case does not count."""
    return "".join(map(_build_character_pattern, text))


def _build_character_pattern(character: str) -> str:
    lower, upper = character.lower(), character.upper()
    if lower != upper and len(lower) == len(upper) == 1:
        return f"[{upper}{lower}]"
    return character if character.isalnum() or character.isspace() else f"\\{character}"


def _read_numbers(interaction: Interaction, answers: Sequence[ScoringRule]) -> Iterator[Number]:
    """Yield each accepted number with its tolerance."""
    for answer in answers:
        number = parse_number(answer.operand)
        if not answer.operand and answer.basis == "map":
            yield replace(ANY_NUMBER, credit=answer.points)
            continue
        if number is None:
            interaction.item.note("number_unreadable", answer.operand)
            continue
        feedback = interaction.use_feedback(answer.operand)
        mode, below, above = answer.tolerance
        low, high = parse_number(below or "0"), parse_number(above or "0")
        if low is None or high is None or mode not in {"", "exact", "absolute", "relative"}:
            interaction.item.note(CUSTOM_SCORING, f"{mode} {below} {above}")
            low = high = Fraction(0)
        if answer.has_open_end and (low or high):
            interaction.item.note("boundary_included", line=answer.line)
        if mode in {"", "exact"}:
            tolerance, text, margin = "exact", _write_number(answer.operand), ""
        elif low == high and low:
            tolerance, text = mode, _write_number(answer.operand)
            margin = _write_number(below) if mode == "absolute" else format_number(low / 100)
        else:
            unit = abs(number) / 100 if mode == "relative" else 1
            tolerance, text, margin = build_tolerance(
                number, number - low * unit, number + high * unit
            )
        yield Number(text, tolerance, margin, answer.points, feedback)


def _write_number(text: str) -> str:
    """Return a number as the file has it, if a question can have it so."""
    text = text.strip()
    return text if _DECIMAL.fullmatch(text) else format_number(parse_number(text) or Fraction(0))
