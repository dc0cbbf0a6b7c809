"""What the deadline engine does next: attempts to be ended or graded, and when (ADR 21).

The attempts themselves are the queue. A GradingFailure beside one says how often it was tried and
when it is tried next. Whoever works on a row locks it and passes over what others have locked, so
that any number of processes share the work without knowing of each other.
"""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Attempt, State
from quizzes.lib import clock
from quizzes.results.failures import ALARM, INTERRUPTED, lease, raise_alarm
from quizzes.results.models import GradingFailure

BUSY: Final = timedelta(seconds=1)
"""How long an attempt is left alone that somebody else has locked."""

# The first two read the head of an index and no more, however many attempts are open.
_NEXT_DUE = """
      (SELECT a.cutoff_at FROM attempts_attempt a
       WHERE a.state = 'open' AND a.cutoff_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM results_gradingfailure f WHERE f.attempt_id = a.id)
       ORDER BY a.cutoff_at LIMIT 1),
      (SELECT a.submitted_at FROM attempts_attempt a
       WHERE a.state = 'submitted'
         AND NOT EXISTS (SELECT 1 FROM results_gradingfailure f WHERE f.attempt_id = a.id)
       ORDER BY a.submitted_at LIMIT 1),
      (SELECT min(CASE WHEN a.state = 'open' AND a.cutoff_at > f.next_try_at
                       THEN a.cutoff_at ELSE f.next_try_at END)
       FROM results_gradingfailure f JOIN attempts_attempt a ON a.id = f.attempt_id
       WHERE a.state = 'submitted' OR (a.state = 'open' AND a.cutoff_at IS NOT NULL))
"""


def load_next_due() -> tuple[datetime, datetime | None]:
    """Return the database's time, and when there is something to do next; one statement.

    A time in the past is now. None: there is nothing to do.
    """
    now, times = clock.read_now_with(_NEXT_DUE)
    return now, min((_parse_time(time) for time in times if time is not None), default=None)


def _parse_time(stored: datetime | str) -> datetime:
    """Return a time as the database gives it; SQLite gives a text or a time, in UTC both."""
    time = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def find_overdue(now: datetime) -> QuerySet[Attempt]:
    """Return the open attempts to be ended, the oldest first; those put off for later are none."""
    overdue = Attempt.objects.filter(state=State.OPEN, cutoff_at__lt=now)
    return overdue.exclude(grading_failure__next_try_at__gt=now).order_by("cutoff_at", "pk")


@transaction.atomic
def end_attempts(attempts: QuerySet[Attempt], *, now: datetime) -> int:
    """End those of these overdue attempts that nobody else is just working on."""
    free = attempts.select_for_update(skip_locked=True, of=("self",))
    ids = list(free.values_list("pk", flat=True))
    return lifecycle.expire(attempts=Attempt.objects.filter(pk__in=ids), now=now)


@transaction.atomic
def claim_untried(*, now: datetime, most: int) -> list[UUID]:
    """Take submitted attempts that were never tried, the oldest first; the tries count from now.

    Should this process end before them, they are due again after a while, each by itself.
    """
    waiting = Attempt.objects.filter(state=State.SUBMITTED, grading_failure=None)
    free = waiting.order_by("submitted_at", "pk").select_for_update(skip_locked=True, of=("self",))
    locked = list(free.only("pk", "uuid", "learner_id")[:most])
    # Another process may have taken one between this statement's look and its lock.
    claimed_ids = set(
        GradingFailure.objects.filter(attempt__in=locked).values_list("attempt", flat=True)
    )
    attempts = [attempt for attempt in locked if attempt.pk not in claimed_ids]
    GradingFailure.objects.bulk_create(
        GradingFailure(
            attempt=attempt,
            learner_id=attempt.learner_id,
            tries=1,
            code=INTERRUPTED,
            failed_at=now,
            next_try_at=now + lease(1),
        )
        for attempt in attempts
    )
    return [attempt.uuid for attempt in attempts]


@transaction.atomic
def claim_retry(*, now: datetime) -> UUID | None:
    """Take the submitted attempt whose next try has been due longest, if there is one.

    Alone: it may be the one that ended the process which tried it last.
    """
    due = GradingFailure.objects.filter(next_try_at__lte=now, attempt__state=State.SUBMITTED)
    free = due.order_by("next_try_at", "pk").select_related("attempt")
    failure = free.select_for_update(skip_locked=True, of=("self", "attempt")).first()
    if failure is None:
        return None
    if failure.code == INTERRUPTED and failure.tries >= ALARM:
        raise_alarm(failure)
    failure.tries += 1
    failure.code, failure.detail, failure.failed_at = INTERRUPTED, "", now
    failure.next_try_at = now + lease(failure.tries)
    failure.save()
    return failure.attempt.uuid


def release(*, attempt: UUID, now: datetime) -> None:
    """Give back a claim that came to nothing: somebody else was working on the attempt.

    It counts as no try, and is due again in a moment, unless it is graded by now.
    """
    claims = GradingFailure.objects.filter(attempt__uuid=attempt)
    claims.filter(attempt__state=State.SUBMITTED).update(
        tries=F("tries") - 1, next_try_at=now + BUSY
    )
    claims.exclude(attempt__state=State.SUBMITTED).delete()


def retry_soon(*, attempt: Attempt, now: datetime) -> None:
    """Have the engine try an attempt that failed at its next look, whatever its pause."""
    GradingFailure.objects.filter(attempt=attempt).update(next_try_at=now)
