"""More time for those who are at it: by minutes, an accommodation or a later closing.

Time that was given is never taken back: a deadline moves out, or stays. Only a pause that ends
earlier than it could (pauses.py) moves it in, by what remained of the pause.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from quizzes.attempts import selectors
from quizzes.attempts.access import managed_by
from quizzes.attempts.attempt_codes import append_extension
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, DeadlineExtension, QuizGrade, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.events import services as events
from quizzes.lib.errors import Invalid, NotFound

MAX_MINUTES: Final = 600
"""What one extension gives at most."""


@transaction.atomic
def extend_deadlines(attempts: QuerySet[Attempt], *, now: datetime) -> int:
    """Move the deadlines of those of these attempts that still run to what the rules give by now.

    Returns how many moved. One that ran without a deadline still does; one whose cut-off has passed
    is over, and one that cannot be read is left out. Quiz grades are locked before attempts, as
    everywhere.
    """
    return sum(_extend_deadline(attempt, now) for attempt in lock_running(attempts, now))


@transaction.atomic
def extend_by_minutes(
    *, attempts: QuerySet[Attempt], minutes: int, reason: str, by: User, now: datetime
) -> int:
    """Move the deadlines of those of these attempts that still run by 1 to `MAX_MINUTES` minutes.

    Returns how many moved; what has no deadline or is over is left as it is. Other minutes, or no
    reason: Invalid. One of them is not of a learner whom this person teaches: NotFound.
    """
    check_minutes(minutes, MAX_MINUTES, reason)
    shift = timedelta(minutes=minutes)
    return sum(
        _give_time(attempt, shift, now, by=by, reason=reason.strip())
        for attempt in lock_running(choose_managed(attempts, by), now)
    )


def check_minutes(minutes: int, most: int, reason: str) -> None:
    """Refuse other minutes than 1 to the most there may be, or no reason: Invalid."""
    if not 1 <= minutes <= most:
        raise Invalid("out_of_range", where="minutes")
    if not reason.strip():
        raise Invalid("reason_missing", where="reason")


def choose_managed(attempts: QuerySet[Attempt], by: User) -> QuerySet[Attempt]:
    """Return these attempts. One of them is not of a learner whom this person teaches: NotFound."""
    chosen = Attempt.objects.filter(pk__in=attempts.order_by().values("pk"))
    if chosen.exclude(managed_by(by)).exists():
        raise NotFound
    return chosen


def lock_running(attempts: QuerySet[Attempt], now: datetime) -> QuerySet[Attempt]:
    """Return the attempts that still run, locked as they are read; their quiz grades are first."""
    in_time = Q(cutoff_at=None) | Q(cutoff_at__gte=now)
    running = attempts.filter(in_time, state=State.OPEN)
    quiz_grades = running.order_by().values("quiz_grade")
    list(QuizGrade.objects.select_for_update().filter(pk__in=quiz_grades).order_by("pk"))
    locked = running.select_related("quiz", "learner").select_for_update(of=("self",))
    return locked.order_by("pk")


def _extend_deadline(attempt: Attempt, now: datetime) -> bool:
    manifest = selectors.parse_manifest(attempt)
    if attempt.deadline_at is None or not isinstance(manifest, Manifest):
        return False
    if attempt.reopened_from_id is not None:  # it has the time that was given for it
        return False
    policies = manifest.policies
    ends = selectors.load_start_inputs(attempt.quiz, attempt.learner).deadline(
        policies, attempt.started_at
    )
    if ends is None:
        return False
    # The rules know of no pause.
    shift = ends + attempt.paused_for - attempt.deadline_at
    return shift > timedelta() and _give_time(attempt, shift, now)


def _give_time(
    attempt: Attempt, shift: timedelta, now: datetime, by: User | None = None, reason: str = ""
) -> bool:
    before = {"deadline_at": attempt.deadline_at}
    if not move_deadline(attempt, shift, now) or attempt.deadline_at is None:
        return False
    data = {"deadline_at": attempt.deadline_at.isoformat()}
    events.record(kind="attempt.extended", subject=attempt.uuid, data=data, now=now)
    after = {"deadline_at": attempt.deadline_at} | ({"reason": reason} if reason else {})
    group = attempt.quiz.group_id
    record(AuditCode.TIME_GIVEN, about=attempt, group=group, by=by, before=before, after=after)
    return True


def move_deadline(
    attempt: Attempt, shift: timedelta, now: datetime, *, by_pause: bool = False
) -> bool:
    """Move deadline and cut-off of a locked attempt, and save it; return whether it has any."""
    if attempt.deadline_at is None or attempt.cutoff_at is None:
        return False
    # First of all the record: without one the database moves no deadline.
    extension = DeadlineExtension(
        deadline_before=attempt.deadline_at,
        deadline_at=attempt.deadline_at + shift,
        cutoff_at=attempt.cutoff_at + shift,
        by_pause=by_pause,
        extended_at=now,
    )
    append_extension(attempt, extension)
    attempt.deadline_at, attempt.cutoff_at = extension.deadline_at, extension.cutoff_at
    fields = ["deadline_at", "cutoff_at", "paused_until", "paused_for", "updated_at"]
    attempt.save(update_fields=fields)
    return True
