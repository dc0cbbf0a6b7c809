"""What each option of a question pays, for formats that pay by the option. Pure."""

from collections.abc import Mapping
from fractions import Fraction

from quizzes.formats.parsing.export_tracker import ExportTracker

_ALL = Fraction(1)


def paid_by_option(tracker: ExportTracker, *, nothing_right: bool) -> Mapping[str, Fraction]:
    """Give what choosing each option earns, by its name; {} where only the whole answer pays.

    Scoring methods that no sum of options can say are told as losses elsewhere; they pay as the
    default does. Where nothing is right, each option costs everything.
    """
    question, rows = tracker.question, tracker.rows("options")
    weighed, many = question.scoring_method == "option_weights", question.kind == "multiple_choice"
    if question.scoring_method == "all_or_nothing" or not (many or weighed):
        return {}
    if nothing_right:
        return dict.fromkeys((row.name for row in rows), -_ALL)
    right = {row.name for row in rows if tracker.value("right", row)}
    if not weighed:
        each = Fraction(1, len(right) or 1)
        return {row.name: each if row.name in right else -each for row in rows}
    weights = {row.name: tracker.ratio("weight", row) for row in rows if row.values.get("weight")}
    good = [weight for weight in weights.values() if weight > 0]
    if (sum(good, Fraction(0)) if many else max(good, default=Fraction(0))) < 1:
        tracker.warn("shares_stretched")
    return {row.name: weights.get(row.name, Fraction(0)) for row in rows}
