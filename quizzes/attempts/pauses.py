"""Pausing those who are at a quiz: time stands still, and answers still count (ADR 41).

The deadline moves out by the longest that the pause can be when it begins, and in by what remains
of it when somebody ends it. So nothing has to end a pause, and no attempt ends in one.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from quizzes.attempts.access import managed_by, quizzes_managed_by
from quizzes.attempts.deadline_extension import (
    check_minutes,
    choose_managed,
    lock_running,
    move_deadline,
)
from quizzes.attempts.models import Attempt, QuizPause
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.events import services as events
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Quiz

MAX_PAUSE_MINUTES: Final = 240
"""How long one pause is at most."""
EVENT_KINDS: Final = {
    AuditCode.ATTEMPT_PAUSED: "attempt.paused",
    AuditCode.ATTEMPT_RESUMED: "attempt.resumed",
}


@transaction.atomic
def pause_attempts(
    *, attempts: QuerySet[Attempt], minutes: int, reason: str, by: User, now: datetime
) -> int:
    """Pause those of these attempts that still run, for 1 to `MAX_PAUSE_MINUTES` at most.

    Returns how many; one that is paused already, or over, is left as it is. Other minutes, or no
    reason: Invalid. One of them is not of a learner whom this person teaches: NotFound.
    """
    check_minutes(minutes, MAX_PAUSE_MINUTES, reason)
    running = lock_running(choose_managed(attempts, by), now)
    going = list(running.filter(Q(paused_until=None) | Q(paused_until__lte=now)))
    for attempt in going:
        before = _list_times(attempt)
        _move_pause(attempt, now + timedelta(minutes=minutes), now)
        _record(AuditCode.ATTEMPT_PAUSED, attempt, before, now, by=by, reason=reason.strip())
    return len(going)


@transaction.atomic
def pause_quiz(*, quiz: Quiz, minutes: int, reason: str, by: User, now: datetime) -> int:
    """Pause everybody at a quiz whom this person teaches; who has not begun, does not meanwhile.

    Returns how many were paused. Teaches no class with this quiz: NotFound. Else as
    `pause_attempts`.
    """
    check_minutes(minutes, MAX_PAUSE_MINUTES, reason)
    if not quizzes_managed_by(by).filter(pk=quiz.pk).exists():
        raise NotFound
    attempts = Attempt.objects.filter(managed_by(by), quiz=quiz, is_staff_attempt=False)
    until = now + timedelta(minutes=minutes)
    QuizPause.objects.update_or_create(quiz=quiz, paused_by=by, defaults={"paused_until": until})
    return pause_attempts(attempts=attempts, minutes=minutes, reason=reason, by=by, now=now)


@transaction.atomic
def resume_attempts(*, attempts: QuerySet[Attempt], by: User, now: datetime) -> int:
    """End the pause of those of these attempts that are paused; return how many.

    One of them is not of a learner whom this person teaches: NotFound.
    """
    running = lock_running(choose_managed(attempts, by), now)
    paused = list(running.filter(paused_until__gt=now))
    for attempt in paused:
        before = _list_times(attempt)
        _move_pause(attempt, now, now)
        _record(AuditCode.ATTEMPT_RESUMED, attempt, before, now, by=by)
    return len(paused)


def _move_pause(attempt: Attempt, until: datetime, now: datetime) -> None:
    shift = until - max(attempt.paused_until or now, now)
    attempt.paused_until = until
    if attempt.deadline_at is None:  # nothing moves, so nothing is summed
        attempt.save(update_fields=["paused_until", "updated_at"])
        return
    attempt.paused_for += shift
    move_deadline(attempt, shift, now, by_pause=True)


def _list_times(attempt: Attempt) -> dict[str, datetime | None]:
    return {"paused_until": attempt.paused_until, "deadline_at": attempt.deadline_at}


def _record(  # noqa: PLR0913  what a row of the log is made of
    code: AuditCode,
    attempt: Attempt,
    before: Mapping[str, datetime | None],
    now: datetime,
    *,
    by: User,
    reason: str = "",
) -> None:
    times = _list_times(attempt)
    after = times | ({"reason": reason} if reason else {})
    record(code, about=attempt, group=attempt.quiz.group_id, by=by, before=before, after=after)
    data = {name: moment and moment.isoformat() for name, moment in times.items()}
    events.record(kind=EVENT_KINDS[code], subject=attempt.uuid, data=data, now=now)
