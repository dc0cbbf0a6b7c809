"""The totals of a quiz that is being composed, in words: questions, points, what passing needs."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext, ngettext

from quizzes.presentation.formatting import format_percent, format_points
from quizzes.publishing.models import Quiz
from quizzes.publishing.services import PlannedVersionItem, sum_points


def describe_totals(quiz: Quiz, planned: Sequence[PlannedVersionItem]) -> tuple[str, ...]:
    """Return how many questions and points there are, and how many points pass."""
    count, maximum = sum(planned_item.draw for planned_item in planned), sum_points(planned)
    threshold = Fraction(quiz.pass_percent) / 100
    questions = ngettext("%(count)s question", "%(count)s questions", count) % {"count": count}
    points = ngettext("%(points)s point", "%(points)s points", 1 if maximum == 1 else 2)
    needed = gettext("passing needs %(points)s (%(share)s)")
    return (
        questions,
        points % {"points": format_points(maximum)},
        needed % {"points": format_points(threshold * maximum), "share": format_percent(threshold)},
    )
