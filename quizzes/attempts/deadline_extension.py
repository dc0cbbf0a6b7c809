"""More time for those who are at it: by minutes, an accommodation or a later closing.

Time that was given is never taken back: a deadline moves out, or stays.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from quizzes.attempts import selectors
from quizzes.attempts.access import managed_by
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
    return sum(_extend_deadline(attempt, now) for attempt in _lock_running(attempts, now))


@transaction.atomic
def extend_by_minutes(
    *, attempts: QuerySet[Attempt], minutes: int, reason: str, by: User, now: datetime
) -> int:
    """Move the deadlines of those of these attempts that still run by 1 to `MAX_MINUTES` minutes.

    Returns how many moved; what has no deadline or is over is left as it is. Other minutes, or no
    reason: Invalid. One of them is not of a learner whom this person teaches: NotFound.
    """
    if not 1 <= minutes <= MAX_MINUTES:
        raise Invalid("out_of_range", where="minutes")
    if not reason.strip():
        raise Invalid("reason_missing", where="reason")
    chosen = Attempt.objects.filter(pk__in=attempts.order_by().values("pk"))
    if chosen.exclude(managed_by(by)).exists():
        raise NotFound
    shift = timedelta(minutes=minutes)
    return sum(
        _move_deadline(attempt, shift, now, by=by, reason=reason.strip())
        for attempt in _lock_running(chosen, now)
    )


def _lock_running(attempts: QuerySet[Attempt], now: datetime) -> QuerySet[Attempt]:
    """Return the attempts that still run, locked as they are read; their quiz grades are first."""
    running = attempts.filter(state=State.OPEN, cutoff_at__gte=now)
    quiz_grades = running.order_by().values("quiz_grade")
    list(QuizGrade.objects.select_for_update().filter(pk__in=quiz_grades).order_by("pk"))
    locked = running.select_related("quiz", "learner").select_for_update(of=("self",))
    return locked.order_by("pk")


def _extend_deadline(attempt: Attempt, now: datetime) -> bool:
    manifest = selectors.parse_manifest(attempt)
    if not isinstance(manifest, Manifest):
        return False
    policies = manifest.policies
    ends = selectors.load_start_inputs(attempt.quiz, attempt.learner).deadline(
        policies, attempt.started_at
    )
    if ends is None or attempt.deadline_at is None or ends <= attempt.deadline_at:
        return False
    return _move_deadline(attempt, ends - attempt.deadline_at, now)


def _move_deadline(
    attempt: Attempt, shift: timedelta, now: datetime, by: User | None = None, reason: str = ""
) -> bool:
    if attempt.deadline_at is None or attempt.cutoff_at is None:
        return False
    before = {"deadline_at": attempt.deadline_at}
    # First of all the record: without one the database moves no deadline.
    extension = DeadlineExtension.objects.create(
        attempt=attempt,
        learner_id=attempt.learner_id,
        deadline_before=attempt.deadline_at,
        deadline_at=attempt.deadline_at + shift,
        cutoff_at=attempt.cutoff_at + shift,
        extended_at=now,
    )
    attempt.deadline_at, attempt.cutoff_at = extension.deadline_at, extension.cutoff_at
    attempt.save(update_fields=["deadline_at", "cutoff_at", "updated_at"])
    data = {"deadline_at": extension.deadline_at.isoformat()}
    events.record(kind="attempt.extended", subject=attempt.uuid, data=data, now=now)
    after = {"deadline_at": extension.deadline_at} | ({"reason": reason} if reason else {})
    group = attempt.quiz.group_id
    record(AuditCode.TIME_GIVEN, about=attempt, group=group, by=by, before=before, after=after)
    return True
