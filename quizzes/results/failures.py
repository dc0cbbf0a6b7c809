"""Attempts that cannot be ended or graded: each try is counted, and the next one is put off."""

import logging
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from quizzes.attempts.models import Attempt, State
from quizzes.lib.cpu_limit import TookTooLong
from quizzes.lib.errors import Corrupt
from quizzes.results.models import GradingFailure

log = logging.getLogger(__name__)

GRADER_FAILED: Final = "grader_failed"
GRADER_TOO_SLOW: Final = "grader_too_slow"
SUBMISSION_FAILED: Final = "submission_failed"
INTERRUPTED: Final = "interrupted"
"""The code of a try that has begun; it stays if the process ends before the try does."""
FIRST_PAUSE: Final = timedelta(seconds=30)
LONGEST_PAUSE: Final = timedelta(hours=6)
LEASE: Final = timedelta(seconds=10)
"""How long others leave an attempt alone that is being graded: far longer than that may take."""
ALARM: Final = 5
"""Failures in a row after which it is no passing trouble: the attempt is in quarantine."""

UNFINISHED: Final = (State.OPEN, State.SUBMITTED)
HAS_FAILED: Final = Q(state__in=UNFINISHED, grading_failure__isnull=False) & ~Q(
    grading_failure__code=INTERRUPTED, grading_failure__tries__lte=1
)
"""Attempts that could not be ended or graded; those that are just being graded are none."""


def list_quarantined() -> QuerySet[GradingFailure]:
    """Return the attempts in quarantine, each with its last failure, the oldest first."""
    failures = GradingFailure.objects.filter(tries__gte=ALARM, attempt__state__in=UNFINISHED)
    return failures.select_related("attempt").order_by("failed_at", "pk")


@transaction.atomic
def record_failure(
    *, attempt: UUID, error: Exception, now: datetime, claimed: bool = False
) -> None:
    """Count a failure to end or grade an attempt, and put the next try off.

    Asked again before the next try is due, it counts nothing: a page that is loaded again and
    again does not lengthen the pause. A try that was `claimed` is counted already. An attempt that
    somebody graded meanwhile is left alone.
    """
    waiting = Attempt.objects.select_for_update().filter(uuid=attempt, state__in=UNFINISHED)
    row = waiting.first()
    if row is None:
        return
    failure = GradingFailure.objects.filter(attempt=row).first() or GradingFailure(
        attempt=row, learner_id=row.learner_id
    )
    if failure.pk and failure.next_try_at > now and not claimed:
        return
    failure.tries += 0 if claimed and failure.pk else 1
    failure.code = _choose_code(row, error)
    failure.detail = _detail(error)
    failure.failed_at, failure.next_try_at = now, now + pause(failure.tries)
    failure.save()
    if failure.tries >= ALARM:
        raise_alarm(failure)


def raise_alarm(failure: GradingFailure) -> None:
    """Name an attempt in quarantine in the log."""
    log.critical(
        "attempt %s could not be finished %s times in a row (%s) and is in quarantine; its page"
        " in the admin says why",
        failure.attempt.uuid,
        failure.tries,
        failure.code,
    )


def pause(tries: int) -> timedelta:
    """Return how long to wait after so many failures in a row: twice as long each time.

    In quarantine the pause is always the longest: what a new release mends is found all the same.
    """
    return LONGEST_PAUSE if tries >= ALARM else FIRST_PAUSE * (1 << (tries - 1))


def lease(tries: int) -> timedelta:
    """Return for how long a try keeps all others away, should its process end before it does.

    No longer after some tries: whoever was killed twice by an outage is graded soon after it.
    """
    return LONGEST_PAUSE if tries >= ALARM else LEASE


def _choose_code(attempt: Attempt, error: Exception) -> str:
    if isinstance(error, Corrupt):
        return error.code
    if isinstance(error, TookTooLong):
        return GRADER_TOO_SLOW
    return SUBMISSION_FAILED if attempt.state == State.OPEN else GRADER_FAILED


def _detail(error: Exception) -> str:
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}".replace("\0", "")[:300]
