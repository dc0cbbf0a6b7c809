"""Texts with gaps of QTI 2 and 3: several interactions in one text, or one of many gaps."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from quizzes.formats.builders import Gap, Head, Option, build_cloze, build_strict_comparison
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING
from quizzes.formats.qti.item import QtiItem
from quizzes.formats.qti.text_entry import read_gap

_MAX_POINTS = 100


def read_cloze(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read a text with gaps; the prompt has a token for each interaction."""
    prompt, gaps, cases = head.prompt, [], []
    points = _read_points(item)
    for number, interaction in enumerate(item.interactions, start=1):
        prompt, name = item.place_gap(prompt, number, interaction.response.id)
        gap, case = read_gap(interaction, Gap(name, points=points[number - 1]))
        gaps.append(gap)
        cases.append(case)
    rules = item.processing.rules
    if any(len({*rule.responses}) not in {1, len(gaps)} for rule in rules):
        item.note(CUSTOM_SCORING, line=rules[0].line)
    is_whole = any(len(rule.responses) > 1 for rule in rules)
    scoring_method = "all_or_nothing" if is_whole else "per_gap"
    head = replace(head, prompt=prompt)
    comparison = build_strict_comparison(case=any(cases))
    return build_cloze(head, gaps, scoring_method=scoring_method, **comparison)


def read_gap_match(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build a text with gaps of which each may be filled with each of the words."""
    interaction = item.interactions[0]
    response, bases = interaction.response, interaction.bases
    pairs = response.correct
    if bases == {"map"} and response.mapping:
        pairs = tuple(pair for pair, points, _ in response.mapping.entries if points > 0)
    right = {gap: word for word, _, gap in (pair.partition(" ") for pair in pairs)}
    words = interaction.render_choices("gapText")
    prompt, gaps = head.prompt, []
    for number, child in enumerate(interaction.node.iter("gap"), start=1):
        identifier = child.get("identifier", "")
        prompt, name = item.place_gap(prompt, number, identifier)
        options = [
            Option(text, right=right.get(identifier) == word) for word, text in words.items()
        ]
        gaps.append(Gap(name, options=options))
    if not gaps or not all(any(option.right for option in gap.options) for gap in gaps):
        item.note("key_unknown")
    scoring_method = "per_gap" if "map" in bases else "all_or_nothing"
    return build_cloze(replace(head, prompt=prompt), gaps, scoring_method=scoring_method)


def _read_points(item: QtiItem) -> Sequence[int]:
    """Return the points of each gap in whole numbers."""
    amounts = [
        max((item.compute_points(rule) for rule in interaction.rules), default=Fraction(1))
        for interaction in item.interactions
    ]
    if all(amount.denominator == 1 and 0 < amount <= _MAX_POINTS for amount in amounts):
        return [int(amount) for amount in amounts]
    return item.scale_points(amounts)
