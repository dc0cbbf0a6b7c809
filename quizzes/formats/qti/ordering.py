"""Interactions of QTI 2 and 3 that are answered by pairing and by putting in order."""

from collections.abc import Mapping
from fractions import Fraction

from grading.json_types import Json
from quizzes.formats.builders import (
    Head,
    add_row_feedback,
    build_matching,
    build_ordering,
    settle_lower_bound,
    settle_wrong_order,
)
from quizzes.formats.builders.answer_settling import SourceMatching, settle_matching
from quizzes.formats.contract import Note, ParsedQuestion
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING
from quizzes.formats.qti.item import Interaction, QtiItem

_ZERO = Fraction(0)


def read_ordering(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read an order; only the whole order earns points there."""
    interaction = item.interactions[0]
    correct, texts = interaction.response.correct, interaction.render_choices("simpleChoice")
    if interaction.bases - {"correct", "otherwise"}:
        interaction.note_custom()
    points = {rule.basis: rule.points for rule in interaction.rules}
    cost = min(-points.get("otherwise", _ZERO) / (points.get("correct", _ZERO) or 1), Fraction(1))
    fields, notes = settle_wrong_order(cost, None, line=item.node.line)
    item.add_notes(notes)
    if sorted(correct) != sorted(texts):
        item.note("key_unknown")
        return build_ordering(head, list(texts.values()))
    ordered = [texts[choice] for choice in correct]
    return build_ordering(head, ordered, scoring_method="all_or_nothing", **fields)


def read_matching(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read pairs; each choice of one set goes with one of the other."""
    interaction = item.interactions[0]
    node = interaction.node
    lefts, rights = (
        {
            choice.get("identifier", ""): item.render_text(choice)
            for choice in match_set.findall("simpleAssociableChoice")
        }
        for match_set in ([*node.iter("simpleMatchSet"), node, node])[:2]
    )
    source = _read_source(interaction, lefts, rights)
    lefts, rights = dict(source.lefts), dict(source.rights)
    settled, notes = settle_matching(source, line=item.node.line, quote=read_text(node))
    item.add_notes(notes)
    key = settled.key
    if settled.scoring_method is None:
        item.note(CUSTOM_SCORING, "mapping", interaction.rules[0].line)
    fields, notes = _settle_lower_bound(interaction, source, settled.scoring_method)
    item.add_notes(notes)
    question = build_matching(
        head,
        [(text, rights.get(key.get(left, ""), "")) for left, text in lefts.items()],
        list(rights.values()),
        points=item.scale_points(settled.points) if settled.points else (),
        scoring_method=settled.scoring_method or "per_pair",
        shuffle=node.get("shuffle") == "true",
        **fields,
    )
    feedback = {
        f"left-{number}": interaction.use_feedback(f"{left} {key.get(left, '')}")
        for number, left in enumerate(lefts, start=1)
    }
    return add_row_feedback(question, head.language, "lefts", feedback)


def _settle_lower_bound(
    interaction: Interaction, source: SourceMatching, scoring_method: str | None
) -> tuple[dict[str, Json], list[Note]]:
    """Return how far below zero wrong pairs take the score, where they cost anything."""
    mapping = interaction.response.mapping
    if scoring_method != "right_minus_wrong" or mapping is None:
        return {}, []
    full = sum((points for _, _, points in source.points if points > 0), Fraction(0))
    lower_bound = mapping.lower and mapping.lower / (full or 1)
    return settle_lower_bound(Fraction(-1), lower_bound, line=interaction.item.node.line)


def _read_source(
    interaction: Interaction, lefts: Mapping[str, str], rights: Mapping[str, str]
) -> SourceMatching:
    """Return the two sets and the points of pairs; each left, of either set, goes with one."""
    mapping, default, is_together = interaction.response.mapping, Fraction(0), False
    if interaction.bases == {"map"} and mapping is not None:
        default = mapping.default
        points = [(*_split_pair(pair), amount) for pair, amount, _ in mapping.entries if amount]
    else:
        if interaction.bases - {"correct"}:
            interaction.note_custom()
        is_together = True
        points = [(*_split_pair(pair), Fraction(1)) for pair in interaction.response.correct]
    right = [left for left, _, amount in points if amount > 0]
    if sorted(right) != sorted(lefts):
        points = [(second, first, amount) for first, second, amount in points]
        lefts, rights = rights, lefts
    return SourceMatching(lefts, rights, points, default, together=is_together)


def _split_pair(pair: str) -> tuple[str, str]:
    left, _, right = " ".join(pair.split()).partition(" ")
    return left, right
