"""Texts with gaps of QTI 2 and 3: several interactions in one text, or one of many gaps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quizzes.formats.builders import (
    Gap,
    Head,
    Option,
    build_cloze,
    find_least_filling,
    settle_lower_bound,
)
from quizzes.formats.builders.answer_settling import settle_gap
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING, compute_credit
from quizzes.formats.qti.item import Interaction, QtiItem
from quizzes.formats.qti.text_entry import read_gap

_MAX_POINTS = 100


def read_cloze(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read a text with gaps; the prompt has a token for each interaction."""
    prompt, gaps = head.prompt, []
    points = _read_points(item)
    for number, interaction in enumerate(item.interactions, start=1):
        prompt, name = item.place_gap(prompt, number, interaction.response.id)
        gaps.append(read_gap(interaction, Gap(name, points=points[number - 1])))
    rules = item.processing.rules
    if any(len({*rule.responses}) not in {1, len(gaps)} for rule in rules):
        item.note(CUSTOM_SCORING, line=rules[0].line)
    is_whole = any(len(rule.responses) > 1 for rule in rules)
    scoring_method = "all_or_nothing" if is_whole else "per_gap"
    head = replace(head, prompt=prompt)
    fields, notes = settle_lower_bound(find_least_filling(gaps), None, line=head.line)
    item.add_notes(notes)
    return build_cloze(head, gaps, scoring_method=scoring_method, **fields)


def read_gap_match(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build a text with gaps of which each may be filled with each of the words."""
    interaction = item.interactions[0]
    words = interaction.render_choices("gapText")
    identifiers = [child.get("identifier", "") for child in interaction.node.iter("gap")]
    amounts = [_read_amounts(interaction, words, gap) for gap in identifiers]
    full = [max(points.values(), default=Fraction(0)) for points in amounts]
    gap_points = item.scale_points(full) if all(best > 0 for best in full) else [1] * len(full)
    prompt, gaps = head.prompt, []
    for number, (identifier, points) in enumerate(zip(identifiers, amounts, strict=True), start=1):
        prompt, name = item.place_gap(prompt, number, identifier)
        best = full[number - 1]
        options = [
            Option(text, weight=compute_credit(points[word], best) if best > 0 else None)
            for word, text in words.items()
        ]
        gap = Gap(name, options=options, points=gap_points[number - 1])
        gap, notes = settle_gap(gap, line=head.line)
        item.add_notes(notes)
        gaps.append(gap)
    if not gaps:
        item.note("key_unknown")
    lower_bound = _read_lower_bound(interaction, sum(full, Fraction(0)))
    fields, notes = settle_lower_bound(find_least_filling(gaps), lower_bound, line=head.line)
    item.add_notes(notes)
    scoring_method = "per_gap" if "map" in interaction.bases else "all_or_nothing"
    return build_cloze(replace(head, prompt=prompt), gaps, scoring_method=scoring_method, **fields)


def _read_amounts(
    interaction: Interaction, words: Iterable[str], gap: str
) -> Mapping[str, Fraction]:
    """Return what each word in this gap earns: by the mapping, else 1 in the right gap."""
    response, default = interaction.response, Fraction(0)
    points = dict.fromkeys(response.correct, Fraction(1))
    if interaction.bases == {"map"} and response.mapping:
        default = response.mapping.default
        points = {pair: earned for pair, earned, _ in response.mapping.entries}
    by_pair = {tuple(pair.split()): earned for pair, earned in points.items()}
    return {word: by_pair.get((word, gap), default) for word in words}


def _read_lower_bound(interaction: Interaction, full: Fraction) -> Fraction | None:
    """Return the least that the mapping gives, as a share of everything; None for no limit."""
    mapping = interaction.response.mapping
    if interaction.bases != {"map"} or mapping is None:
        return Fraction(0)
    is_lifted = mapping.lower is not None and mapping.lower > 0
    if is_lifted or (mapping.upper is not None and mapping.upper < full):
        interaction.note_custom()
    return mapping.lower and min(mapping.lower / (full or 1), Fraction(0))


def _read_points(item: QtiItem) -> Sequence[int]:
    """Return the points of each gap in whole numbers."""
    amounts = [
        max((item.compute_points(rule) for rule in interaction.rules), default=Fraction(1))
        for interaction in item.interactions
    ]
    if all(amount.denominator == 1 and 0 < amount <= _MAX_POINTS for amount in amounts):
        return [int(amount) for amount in amounts]
    return item.scale_points(amounts)
