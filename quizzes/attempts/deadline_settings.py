"""What deadlines follow from: windows of classes, accommodations, the settings of a quiz.

Each asks itself who may, is recorded, and reaches the attempts that are open: it returns how many
of them have more time.
"""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.access import groups_taught, learners_taught
from accounts.email_confirmation import address_moved
from accounts.models import User
from quizzes.attempts.deadline_extension import extend_deadlines
from quizzes.attempts.models import (
    Accommodation,
    Assignment,
    Attempt,
    StandingAccommodation,
    State,
)
from quizzes.audit.codes import AuditCode
from quizzes.audit.row_changes import record_changes
from quizzes.audit.services import record
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing import services as publishing
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import Quiz

ASSIGNMENT_FIELDS = ("quiz", "group", "opens_at", "closes_at")
ACCOMMODATION_FIELDS = ("quiz", "learner", "time_percent", "extra_attempts", "closes_at")
STANDING_FIELDS = ("learner", "time_percent", "extra_minutes", "window_minutes")
"""Without the reason: why a person has more time may be a matter of health, and stays there."""


@transaction.atomic
def save_assignment(*, assignment: Assignment, by: User | None, now: datetime) -> int:
    """Give a quiz that one may read to a class that one teaches, or change when it is open to it.

    Neither, or a stored assignment that is not of such a class: NotFound. None is the site itself.
    """
    stored = Assignment.objects.select_for_update().filter(pk=assignment.pk).first()
    if by is not None:
        groups = {row.group_id for row in (stored, assignment) if row is not None}
        if groups_taught(by).filter(pk__in=groups).count() != len(groups):
            raise NotFound
        _check_quiz(by, assignment, stored)
    assignment.save()
    group = assignment.group_id
    record_changes(
        AuditCode.ASSIGNMENT_CHANGED,
        assignment,
        stored=stored,
        fields=ASSIGNMENT_FIELDS,
        by=by,
        group=group,
    )
    learners = assignment.group.memberships.values("user")
    attempts = Attempt.objects.filter(quiz=assignment.quiz_id, learner__in=learners)
    return extend_deadlines(attempts, now=now)


@transaction.atomic
def save_accommodation(*, accommodation: Accommodation, by: User | None, now: datetime) -> int:
    """Give one's learner more time or attempts in a quiz that one may read.

    The quiz need not be assigned: it may be open to everybody. Not so, or a stored accommodation
    that is not of such a learner and quiz: NotFound. None is the site itself.
    """
    stored = Accommodation.objects.select_for_update().filter(pk=accommodation.pk).first()
    if by is not None:
        learners = {row.learner_id for row in (stored, accommodation) if row is not None}
        if learners_taught(by).filter(pk__in=learners).count() != len(learners):
            raise NotFound
        _check_quiz(by, accommodation, stored)
    accommodation.save()
    record_changes(
        AuditCode.TIME_GIVEN,
        accommodation,
        stored=stored,
        fields=ACCOMMODATION_FIELDS,
        by=by,
        group=accommodation.quiz.group_id,
    )
    attempts = Attempt.objects.filter(quiz=accommodation.quiz_id, learner=accommodation.learner_id)
    return extend_deadlines(attempts, now=now)


def lock_accommodation(*, quiz: Quiz, learner: User) -> Accommodation | None:
    """Return what a learner has at a quiz, if anything was ever given, and hold it.

    Of two who save at once, the second reads what the first wrote.
    """
    _lock_learner(learner)
    return Accommodation.objects.filter(quiz=quiz, learner=learner).first()


def lock_standing_accommodation(learner: User) -> StandingAccommodation | None:
    """Return what a learner has at every quiz, if that was ever said, and hold it, too."""
    _lock_learner(learner)
    return StandingAccommodation.objects.filter(learner=learner).first()


def _lock_learner(learner: User) -> None:
    User.objects.select_for_update(no_key=True).filter(pk=learner.pk).first()


@transaction.atomic
def save_standing_accommodation(
    *, accommodation: StandingAccommodation, by: User | None, now: datetime
) -> int:
    """Give one's learner more time at every quiz, those that are in progress included.

    Not one's learner: NotFound. None is the site itself.
    """
    learner = accommodation.learner_id
    if by is not None and not learners_taught(by).filter(pk=learner).exists():
        raise NotFound
    stored = lock_standing_accommodation(accommodation.learner)
    if stored is not None:
        accommodation.pk, accommodation.uuid = stored.pk, stored.uuid
        accommodation.created_at = stored.created_at
    accommodation.save(force_update=stored is not None)
    record_changes(
        AuditCode.TIME_GIVEN, accommodation, stored=stored, fields=STANDING_FIELDS, by=by
    )
    return extend_deadlines(Attempt.objects.filter(learner=learner), now=now)


def connect_signals() -> None:
    """Have accommodations go with an address; called when the site starts."""
    address_moved.connect(_move_accommodations, dispatch_uid="accommodations")


def _move_accommodations(*, holder: User, owner: User, **_signal: Any) -> int:
    """Give the owner of an address what was given to who had it before; return how many rows.

    What the owner has been given themselves stays as it is. The log of a move does not name who
    had it: the owner's copy of their data names nobody else.
    """
    of_quizzes = Accommodation.objects.filter(learner=holder)
    own_quizzes = Accommodation.objects.filter(learner=owner).values("quiz")
    moving: list[Accommodation | StandingAccommodation] = [
        *of_quizzes.exclude(quiz__in=own_quizzes).select_related("quiz").order_by("pk")
    ]
    standing = StandingAccommodation.objects.filter(learner=holder)
    if not StandingAccommodation.objects.filter(learner=owner).exists():
        moving += standing
    for row in moving:
        row.learner = owner
        row.save(update_fields=["learner", "updated_at"])
        group = row.quiz.group_id if isinstance(row, Accommodation) else None
        record(AuditCode.TIME_GIVEN, about=row, group=group, after={"learner": owner})
    of_quizzes.delete()
    standing.delete()
    if moving:
        extend_deadlines(Attempt.objects.filter(learner=owner), now=clock.now())
    return len(moving)


@transaction.atomic
def save_quiz_settings(*, quiz: Quiz, by: User | None, now: datetime) -> int:
    """Save the draft of a quiz; what changes of one that is published is recorded: it may run.

    May not change it: NotFound.
    """
    stored = Quiz.objects.select_for_update().filter(pk=quiz.pk).first()
    publishing.save_quiz(quiz=quiz, by=by)
    attempts = Attempt.objects.filter(quiz=quiz)
    if quiz.current_id is not None:
        record_changes(
            AuditCode.QUIZ_CHANGED,
            quiz,
            stored=stored,
            fields=[field.name for field in Quiz._meta.concrete_fields if field.editable],
            by=by,
            extra={"open_attempts": attempts.filter(state=State.OPEN).count()},
        )
    return extend_deadlines(attempts, now=now)


def _check_quiz(
    by: User, row: Assignment | Accommodation, stored: Assignment | Accommodation | None
) -> None:
    """Refuse a quiz that this person may not read, unless an assignment stood before: NotFound.

    A class keeps its window though its quiz now belongs to another one.
    """
    is_new = stored is None or stored.quiz_id != row.quiz_id
    must_be_readable = is_new or isinstance(row, Accommodation)
    if must_be_readable and not visible_to(by).filter(pk=row.quiz_id).exists():
        raise NotFound
