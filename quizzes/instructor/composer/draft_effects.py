"""What the draft of a quiz comes to, in words: its totals, and what learners will see when."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from accounts import zones
from quizzes.presentation.formatting import count_points, format_percent, format_points
from quizzes.presentation.messages.attempts import describe_reveal_effect
from quizzes.publishing.models import Quiz
from quizzes.publishing.planned_version import PlannedVersionItem, build_draft_policies, sum_points
from quizzes.results.reveal_inputs import find_last_closing


def describe_totals(quiz: Quiz, planned: Sequence[PlannedVersionItem]) -> tuple[str, ...]:
    """Return how many questions and points there are, and how many points pass."""
    count, maximum = sum(planned_item.draw for planned_item in planned), sum_points(planned)
    threshold = Fraction(quiz.pass_percent) / 100
    questions = ngettext("%(count)s question", "%(count)s questions", count) % {"count": count}
    needed = gettext("passing needs %(points)s (%(share)s)")
    return (
        questions,
        count_points(maximum),
        needed % {"points": format_points(threshold * maximum), "share": format_percent(threshold)},
    )


def describe_draft_reveal(quiz: Quiz) -> list[str]:
    """Return what learners will see of their results, and when, by the settings of the draft."""
    policies = build_draft_policies(quiz)
    at = find_last_closing(quiz, policies)
    if at is None:
        return describe_reveal_effect(policies, "")
    local = date_format(timezone.localtime(at), gettext("j M Y, H:i"))
    return describe_reveal_effect(policies, f"{local} {zones.abbreviate(at)}")
