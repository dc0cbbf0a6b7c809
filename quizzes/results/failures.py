"""Attempts that cannot be graded: each failure is counted, and the next try is put off."""

import logging
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction

from quizzes.attempts.models import Attempt, State
from quizzes.lib.errors import Corrupt
from quizzes.results.models import GradingFailure

log = logging.getLogger(__name__)

GRADER_FAILED: Final = "grader_failed"
FIRST_PAUSE: Final = timedelta(seconds=30)
LONGEST_PAUSE: Final = timedelta(hours=6)
ALARM: Final = 5
"""Failures in a row after which it is no passing trouble."""


@transaction.atomic
def record_failure(*, attempt: UUID, error: Exception, now: datetime) -> None:
    """Count a failure to grade a submitted attempt, and put the next try off.

    Asked again before the next try is due, it counts nothing: a page that is loaded again and
    again does not lengthen the pause. An attempt that somebody graded meanwhile is left alone.
    """
    waiting = Attempt.objects.select_for_update().filter(uuid=attempt, state=State.SUBMITTED)
    row = waiting.first()
    if row is None:
        return
    failure = GradingFailure.objects.filter(attempt=row).first() or GradingFailure(
        attempt=row, learner_id=row.learner_id
    )
    if failure.pk and failure.next_try_at > now:
        return
    failure.tries += 1
    failure.code = error.code if isinstance(error, Corrupt) else GRADER_FAILED
    failure.detail = _detail(error)
    failure.failed_at, failure.next_try_at = now, now + pause(failure.tries)
    failure.save()
    if failure.tries >= ALARM:
        log.critical(
            "attempt %s could not be graded %s times in a row (%s); its page in the admin says why",
            attempt,
            failure.tries,
            failure.code,
        )


def pause(tries: int) -> timedelta:
    """Return how long to wait after so many failures in a row: twice as long each time."""
    doublings: int = min(tries - 1, 16)
    return min(FIRST_PAUSE * (1 << doublings), LONGEST_PAUSE)


def _detail(error: Exception) -> str:
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}".replace("\0", "")[:300]
