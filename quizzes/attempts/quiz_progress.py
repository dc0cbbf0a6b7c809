"""Who is taking a quiz: how far each learner is, for those who oversee them while it runs."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, F, Func, IntegerField, Max, Q, Window
from django.db.models.functions import RowNumber

from accounts.access import groups_overseen, memberships_in_force
from accounts.login_throttle import list_locked
from accounts.models import Role, User
from quizzes.attempts.access import quizzes_overseen_by, supervised_by
from quizzes.attempts.models import (
    LEAST_TIME_PERCENT,
    Accommodation,
    Attempt,
    Response,
    SaveStatus,
    StandingAccommodation,
    State,
)
from quizzes.attempts.rules import compute_time_left, is_paused
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Quiz

MAX_LEARNERS: Final = 2_000
"""The most learners that are listed: the page is for one exam."""


class ProgressState(StrEnum):
    """Where a learner stands: the words of the page."""

    IN_PROGRESS = "in_progress"
    PAUSED = "paused"
    NOT_BEGUN = "not_begun"
    HANDED_IN = "handed_in"
    VOID = "void"


ORDER: Final = tuple(ProgressState)


@dataclass(frozen=True, slots=True)
class LearnerProgress:
    """A learner at a quiz, by their latest attempt; None and 0 where there is none.

    `time_left`: until the deadline, never below zero, as it stands in a pause; None where there is
    none, or it is over. `locked_until`: when they may try to sign in again, after too many tries.
    `has_more_time`: by an accommodation, standing or of this quiz. `device_changes`: how often the
    attempt went on on another device.
    """

    learner: UUID
    name: str
    email: str
    school_id: str
    state: ProgressState
    attempt: int | None = None
    attempt_uuid: UUID | None = None
    attempt_number: int = 0
    answered: int = 0
    questions: int = 0
    started_at: datetime | None = None
    submitted_at: datetime | None = None
    last_saved_at: datetime | None = None
    deadline_at: datetime | None = None
    paused_until: datetime | None = None
    time_left: timedelta | None = None
    locked_until: datetime | None = None
    has_more_time: bool = False
    device_changes: int = 0


SHORT_TIME: Final = timedelta(minutes=5)
"""Whoever has less left is looked after first."""


def needs_attention(progress: LearnerProgress) -> bool:
    """Return whether somebody who has not handed in is locked out, moved, or nearly out of time."""
    if progress.state in {ProgressState.HANDED_IN, ProgressState.VOID}:
        return False
    is_short = progress.time_left is not None and progress.time_left < SHORT_TIME
    return is_short or progress.locked_until is not None or bool(progress.device_changes)


class _CountSlots(Func):
    """How many questions a manifest has."""

    template = "JSONB_ARRAY_LENGTH(%(expressions)s -> 'slots')"
    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Write it as SQLite does."""
        template = "JSON_ARRAY_LENGTH(%(expressions)s, '$.slots')"
        return self.as_sql(compiler, connection, template=template, **context)


def load_quiz_progress(*, quiz: Quiz, viewer: User, now: datetime) -> tuple[LearnerProgress, ...]:
    """Return the learners of a quiz that the viewer oversees.

    Who needs attention comes first, then those in it, then those who have not begun; each by name.

    They are the learners of the viewer's classes that the quiz is assigned to, and whoever has an
    attempt there that the viewer oversees. Attempts of staff are left out. Not overseen: NotFound.
    Seven queries, however many there are.
    """
    if not quizzes_overseen_by(viewer).filter(pk=quiz.pk).exists():
        raise NotFound
    learners = _list_assigned(quiz, viewer)
    attempts = _list_latest_attempts(quiz, viewer)
    answered, last_saved = _count_answers(attempts)
    people = {*(row["learner"] for row in attempts), *(row.pk for row in learners)}
    locked, accommodated = list_locked(people, now), _list_accommodated(quiz, people)
    rows = [
        replace(
            _build_row(attempt, answered, last_saved, locked, now),
            has_more_time=attempt["learner"] in accommodated,
        )
        for attempt in attempts
    ]
    begun = {attempt["learner"] for attempt in attempts}
    rows += [
        LearnerProgress(
            learner=learner.uuid,
            name=learner.name,
            email=learner.email,
            school_id=learner.school_id,
            state=ProgressState.NOT_BEGUN,
            locked_until=locked.get(learner.pk),
            has_more_time=learner.pk in accommodated,
        )
        for learner in learners
        if learner.pk not in begun
    ]
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                not needs_attention(row),
                ORDER.index(row.state),
                row.name.lower(),
                row.email,
            ),
        )
    )


def _list_accommodated(quiz: Quiz, people: Collection[int]) -> set[int]:
    """Return those of these people who have more time at this quiz than others."""
    standing = StandingAccommodation.objects.filter(
        Q(time_percent__gt=LEAST_TIME_PERCENT) | Q(extra_minutes__gt=0), learner__in=people
    )
    of_quiz = Accommodation.objects.filter(
        quiz=quiz, learner__in=people, time_percent__gt=LEAST_TIME_PERCENT
    )
    return set(
        standing.values_list("learner")
        .union(of_quiz.values_list("learner"))
        .values_list("learner", flat=True)
    )


def _list_assigned(quiz: Quiz, viewer: User) -> list[User]:
    groups = groups_overseen(viewer).filter(assignments__quiz=quiz, archived_at=None)
    memberships = memberships_in_force().filter(group__in=groups, role=Role.LEARNER)
    learners = User.objects.filter(pk__in=memberships.values("user"))
    return list(learners.order_by("name", "pk")[:MAX_LEARNERS])


def _list_latest_attempts(quiz: Quiz, viewer: User) -> list[Mapping[str, Any]]:
    """Return the newest attempt of each learner, without its manifest."""
    newest = Window(RowNumber(), partition_by="learner", order_by=F("number").desc())
    attempts = Attempt.objects.filter(supervised_by(viewer), quiz=quiz, is_staff_attempt=False)
    latest = attempts.order_by().annotate(place=newest).filter(place=1).values("pk")
    rows = Attempt.objects.filter(pk__in=latest[:MAX_LEARNERS])
    return list(
        rows.annotate(questions=_CountSlots("manifest"))
        .order_by("pk")
        .values(
            *("pk", "uuid", "learner", "number", "state", "questions"),
            *("started_at", "submitted_at", "deadline_at", "paused_until", "device_changes"),
            *("learner__uuid", "learner__name", "learner__email", "learner__school_id"),
        )
    )


def _count_answers(
    attempts: Iterable[Mapping[str, Any]],
) -> tuple[dict[int, int], dict[int, datetime]]:
    """Return by attempt how many questions have an answer that counts, and the last save."""
    journal = Response.objects.filter(
        attempt__in=[attempt["pk"] for attempt in attempts]
    ).order_by()
    accepted = Q(status=SaveStatus.ACCEPTED)
    current = journal.filter(accepted).values("attempt", "slot").annotate(newest=Max("pk"))
    answered = (
        Response.objects.filter(pk__in=current.values("newest"), answer__isnull=False)
        .order_by()
        .values_list("attempt")
        .annotate(Count("pk"))
    )
    last_saved = journal.filter(accepted).values_list("attempt").annotate(Max("received_at"))
    return dict(answered), dict(last_saved)


def _build_row(
    attempt: Mapping[str, Any],
    answered: Mapping[int, int],
    last_saved: Mapping[int, datetime],
    locked: Mapping[int, datetime],
    now: datetime,
) -> LearnerProgress:
    is_open, paused_until = attempt["state"] == State.OPEN, attempt["paused_until"]
    left = compute_time_left(attempt["deadline_at"], paused_until, now) if is_open else None
    if is_open:
        paused = is_paused(paused_until, now)
        state = ProgressState.PAUSED if paused else ProgressState.IN_PROGRESS
    else:
        is_void = attempt["state"] == State.VOID
        state = ProgressState.VOID if is_void else ProgressState.HANDED_IN
    return LearnerProgress(
        learner=attempt["learner__uuid"],
        name=attempt["learner__name"],
        email=attempt["learner__email"],
        school_id=attempt["learner__school_id"],
        state=state,
        attempt=attempt["pk"],
        attempt_uuid=attempt["uuid"],
        attempt_number=attempt["number"],
        answered=answered.get(attempt["pk"], 0),
        questions=attempt["questions"],
        started_at=attempt["started_at"],
        submitted_at=attempt["submitted_at"],
        last_saved_at=last_saved.get(attempt["pk"]),
        deadline_at=attempt["deadline_at"],
        paused_until=paused_until if is_open else None,
        time_left=left,
        locked_until=locked.get(attempt["learner"]),
        device_changes=attempt["device_changes"],
    )
