"""Reopening an attempt, with the learner's quiz grade brought up to date."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from quizzes.attempts import reopening
from quizzes.attempts.models import Attempt
from quizzes.results.quiz_grades import recompute_quiz_grade


@transaction.atomic
def reopen_attempt(
    *, attempt: UUID, minutes: int | None, reason: str, by: User, now: datetime
) -> Attempt:
    """Open another attempt in the place of one that was handed in; return it.

    Same paper, the answers that counted, and so many minutes; the earlier one is void and leaves
    the quiz grade. What is refused: `attempts.reopening.reopen_attempt`.
    """
    reopened = reopening.reopen_attempt(
        attempt=attempt, minutes=minutes, reason=reason, by=by, now=now
    )
    if not reopened.is_staff_attempt:
        recompute_quiz_grade(reopened.quiz_grade, now)
    return reopened
