"""Finishing and grading. Submitting and grading are two transactions: no grader blocks a submit."""

import logging
from datetime import datetime
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models import BigIntegerField, DateTimeField, Q, UUIDField

from accounts.models import User
from quizzes.attempts import services as lifecycle
from quizzes.attempts.journal import with_current_responses
from quizzes.attempts.models import Attempt, State
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.results.failures import record_failure
from quizzes.results.grading_records import GradingReason, load_grading_input, record_grading
from quizzes.results.models import GradingFailure, Reason
from quizzes.results.quiz_grades import recompute_quiz_grade
from quizzes.results.scoring import score_attempt

log = logging.getLogger(__name__)

RETRIED_PART = 5
"""However many wait for their first try: one for each five of them was tried before."""


def finish(*, attempt: UUID, learner: User, now: datetime) -> None:
    """Submit one's own attempt, then grade it; asked any number of times, it happens once.

    If grading fails the attempt stays submitted, and the sweep tries again. Not theirs: NotFound;
    void: Refused.
    """
    if not lifecycle.submit(attempt=attempt, learner=learner, now=now):
        _ended_before(attempt, learner)
    grade_or_log(attempt=attempt, now=now)


def _ended_before(attempt: UUID, learner: User) -> None:
    state = (
        Attempt.objects.filter(uuid=attempt, learner=learner)
        .values_list("state", flat=True)
        .first()
    )
    if state is None:
        raise NotFound
    if state == State.VOID:
        raise Refused("void")


def grade_or_log(*, attempt: UUID, now: datetime) -> bool:
    """Grade, and if that fails write it down and go on: the row stays in the queue."""
    try:
        grade(attempt=attempt, now=now)
    except Exception as error:
        log.exception("grading attempt %s failed; it stays in the queue", attempt)
        try:
            record_failure(attempt=attempt, error=error, now=now)
        except DatabaseError:
            log.exception("that grading attempt %s failed could not be written down", attempt)
        return False
    return True


_WAITING: PreparedQuery[Attempt] = PreparedQuery(
    lambda attempt: (
        with_current_responses(Attempt.objects.filter(uuid=attempt, state=State.SUBMITTED))
        .select_for_update(of=("quiz_grade", "self"))
        .select_related("quiz_grade__attempt", "grading_failure")
    ),
    UUIDField(),
)


@transaction.atomic
def grade(*, attempt: UUID, now: datetime) -> None:
    """Grade a submitted attempt; one that is graded already is left alone.

    Marks, grading, result, quiz grade and event are written together or not at all.
    """
    row = _WAITING.first(attempt)
    if row is None:
        return
    of = load_grading_input(row)
    marked = score_attempt(of.manifest, of.answers, of.public_versions, of.keys)
    record_grading(row, of, marked, GradingReason(Reason(row.submission_reason)), now)
    if hasattr(row, "grading_failure"):
        row.grading_failure.delete()


@transaction.atomic
def void(*, attempt: UUID, by: User, reason: str, now: datetime) -> Attempt:
    """Take an attempt out of the count, and out of the learner's quiz grade; its rows stay.

    No reason: Invalid. Not overseen by this person: NotFound. Void already: as it is.
    """
    voided = lifecycle.void(attempt=attempt, by=by, reason=reason, now=now)
    recompute_quiz_grade(voided.quiz_grade)
    return voided


def sweep(*, now: datetime, most: int = 500) -> int:
    """End what is overdue and grade what is submitted; return how many were graded.

    Each attempt by itself: one that fails does not hold up the others. Those never tried come
    first, the oldest at the head, at most so many; after them those whose next try is due.
    """
    lifecycle.expire(now=now)
    attempts = _never_tried(most)
    attempts += _due_again(now, max(most - len(attempts), most // RETRIED_PART, 1))
    return sum(grade_or_log(attempt=attempt, now=now) for attempt in attempts)


def _never_tried(most: int) -> list[UUID]:
    submitted = Attempt.objects.filter(state=State.SUBMITTED, grading_failure=None)
    return list(submitted.order_by("submitted_at", "pk").values_list("uuid", flat=True)[:most])


def _due_again(now: datetime, most: int) -> list[UUID]:
    due = GradingFailure.objects.filter(next_try_at__lte=now, attempt__state=State.SUBMITTED)
    return list(due.order_by("next_try_at", "pk").values_list("attempt__uuid", flat=True)[:most])


_UNSETTLED: PreparedQuery[UUID] = PreparedQuery(
    lambda now, learner: (
        Attempt.objects.filter(
            Q(state=State.OPEN, cutoff_at__lt=now) | Q(state=State.SUBMITTED), learner=learner
        )
        .exclude(grading_failure__next_try_at__gt=now)
        .order_by("pk")
        .values_list("uuid", flat=True)
    ),
    DateTimeField(),
    BigIntegerField(),
)


def finish_overdue(*, learner: User, now: datetime) -> None:
    """Do the sweep's work for one learner, who is about to look: nobody waits for a tick.

    A look only ends what is past its deadline; it never submits what was extended meanwhile. What
    could not be graded is not tried again before its time.
    """
    for attempt in _UNSETTLED.all(now, learner.pk):
        lifecycle.expire_own(attempt=attempt, learner=learner, now=now)
        grade_or_log(attempt=attempt, now=now)
