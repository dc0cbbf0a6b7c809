"""What options earn and cost, and the least that a question can, as writers need it. Pure."""

from collections.abc import Mapping
from fractions import Fraction

from grading.json_types import ratio_from_json
from grading.lower_bound import LOWER_BOUND
from grading.ordering.structure import PENALTY
from quizzes.formats.contract import ParsedRow
from quizzes.formats.export.tracker import ExportTracker


def compute_option_credits(tracker: ExportTracker) -> Mapping[str, Fraction]:
    """Return what choosing each option earns, by its name, under the question's scoring method."""
    question, rows = tracker.question, tracker.rows("options")
    right = {row.name for row in rows if tracker.value("right", row)}
    if question.scoring_method == "option_weights":
        limit = None if question.kind == "multiple_choice" else read_lower_bound(tracker)
        credits_ = {row.name: read_weight(tracker, row) for row in rows}
        return {
            name: credit if limit is None else max(credit, limit)
            for name, credit in credits_.items()
        }
    if question.kind != "multiple_choice":
        return {row.name: Fraction(row.name in right) for row in rows}
    each = Fraction(1, len(right) or 1)
    return {row.name: each if row.name in right else -each for row in rows}


def read_lower_bound(tracker: ExportTracker) -> Fraction:
    """Return the least that an answer earns."""
    stored = tracker.value(LOWER_BOUND.name)
    return Fraction(0) if stored is None else ratio_from_json(stored)


def read_credit(tracker: ExportTracker, row: ParsedRow) -> Fraction:
    """Return what an accepted answer earns; it costs no more than the question lets it."""
    return max(tracker.ratio("credit", row), read_lower_bound(tracker))


def read_order_cost(tracker: ExportTracker) -> Fraction:
    """Return what an order costs that is not the right one, where only that one earns anything."""
    stored = tracker.value(PENALTY.name)
    penalty = Fraction(0) if stored is None else ratio_from_json(stored)
    return min(penalty, -read_lower_bound(tracker))


def must_be_choice(tracker: ExportTracker) -> bool:
    """Return whether a statement has weights, which the format's own statements have not."""
    question = tracker.question
    is_weighted = question.kind == "true_false" and question.scoring_method == "option_weights"
    if is_weighted:
        tracker.warn("statement_as_choice")
    return is_weighted


def read_weight(tracker: ExportTracker, row: ParsedRow) -> Fraction:
    """Return what an option earns by itself."""
    return tracker.ratio("weight", row) if row.values.get("weight") else Fraction(0)


def read_gap_weights(tracker: ExportTracker, gap: str) -> Mapping[str, Fraction]:
    """Return what each option of a gap earns of the gap's points."""
    rows = _list_options(tracker, gap)
    if any(row.values.get("weight") for row in rows):
        return {row.name: read_weight(tracker, row) for row in rows}
    return {row.name: Fraction(bool(tracker.value("right", row))) for row in rows}


def warn_of_unlimited_cost(tracker: ExportTracker) -> None:
    """Warn where gaps could cost more in a format that never stops at a lowest score."""
    gaps = tracker.rows("gaps")
    points = {row.name: Fraction(int(str(tracker.value("points", row)))) for row in gaps}
    least = Fraction(0)
    for gap, gap_points in points.items():
        costs = [*read_gap_weights(tracker, gap).values()]
        costs += [tracker.ratio("credit", row) for row in _list_typed(tracker, gap)]
        least += min([*costs, Fraction(0)]) * gap_points
    if least / (sum(points.values()) or 1) < read_lower_bound(tracker):
        tracker.warn("lower_bound_left_out")


def _list_typed(tracker: ExportTracker, gap: str) -> list[ParsedRow]:
    rows = (*tracker.rows("accepted"), *tracker.rows("numbers"))
    return [row for row in rows if tracker.value("gap", row) == gap]


def _list_options(tracker: ExportTracker, gap: str) -> list[ParsedRow]:
    return [row for row in tracker.rows("options") if tracker.value("gap", row) == gap]
