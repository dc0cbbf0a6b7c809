"""Finishing and grading. Submitting and grading are two transactions: no grader blocks a submit."""

import logging
from datetime import datetime
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.db import DatabaseError, InterfaceError, OperationalError, transaction
from django.db.models import BigIntegerField, DateTimeField, Exists, OuterRef, Q, UUIDField

from accounts.models import User
from quizzes.attempts import services as lifecycle
from quizzes.attempts.journal import with_chain
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.receipts import build_receipt, issue_receipt, sign_receipt
from quizzes.lib import clock, metrics
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.results import deadline_queue
from quizzes.results.failures import record_failure
from quizzes.results.grading_records import GradingReason, load_grading_input, record_grading
from quizzes.results.models import Reason, RegradeRule
from quizzes.results.quiz_grades import recompute_quiz_grade
from quizzes.results.scoring import NO_MANUAL_GRADES, score_attempt
from quizzes.results.slot_scores import SlotScores

log = logging.getLogger(__name__)

AWAY = (OperationalError, InterfaceError)
"""The database does not answer, or not now: no fault of the attempt that was being worked on."""
MOST_ENDED, BATCH, RETRIES = 200, 16, 4
"""How many attempts one sweep ends, how many it grades the first time, and how many again."""


def finish(
    *, attempt: UUID, learner: User, now: datetime, device: UUID | None = None
) -> dict[str, Any] | None:
    """Submit one's own attempt, then grade it; asked any number of times, it happens once.

    Return its signed receipt; None while it has none. If grading fails the attempt
    stays submitted, and the sweep tries again. Not theirs: NotFound; void, or open on another
    device than this: Refused.
    """
    is_new = lifecycle.submit(attempt=attempt, learner=learner, now=now, device=device)
    receipt = None if is_new else _load_earlier_receipt(attempt, learner)
    graded = grade_or_log(attempt=attempt, now=now)
    return receipt if graded is None else graded.receipt


def _load_earlier_receipt(attempt: UUID, learner: User) -> dict[str, Any] | None:
    """Return the receipt of an attempt that was submitted before, if it has one already."""
    ended = Attempt.objects.filter(uuid=attempt, learner=learner)
    row = ended.values_list("state", "receipt").first()
    if row is None:
        raise NotFound
    state, receipt = row
    if state == State.VOID:
        raise Refused("void")
    return receipt


def grade_or_log(*, attempt: UUID, now: datetime) -> Attempt | None:
    """Grade, and if that fails write it down and go on: the row stays in the queue."""
    try:
        return grade(attempt=attempt, now=now)
    except AWAY:
        log.exception("grading attempt %s failed; it stays in the queue", attempt)
    except Exception as error:
        log.exception("grading attempt %s failed; it stays in the queue", attempt)
        try:
            record_failure(attempt=attempt, error=error, now=now)
        except DatabaseError:
            log.exception("that grading attempt %s failed could not be written down", attempt)
        _issue_receipt_or_log(attempt, now)
    return None


def _issue_receipt_or_log(attempt: UUID, now: datetime) -> None:
    """Issue the receipt of what cannot be graded: its learner has handed it in all the same."""
    try:
        issue_receipt(attempt=attempt, now=now)
    except Exception:
        log.exception("attempt %s has no receipt yet; the next try to grade issues it", attempt)


def _prepare_waiting(*, skip_locked: bool) -> PreparedQuery[Attempt]:
    return PreparedQuery(
        lambda attempt: (
            with_chain(Attempt.objects.filter(uuid=attempt, state=State.SUBMITTED))
            .select_for_update(of=("quiz_grade", "self"), skip_locked=skip_locked)
            .select_related("quiz_grade__attempt", "grading_failure")
            .annotate(
                is_regraded=Exists(RegradeRule.objects.filter(quiz=OuterRef("quiz"))),
            )
        ),
        UUIDField(),
    )


_SCORES = SlotScores()
"""Of first gradings: many learners give the same answer, and versions never change."""
_WAITING = _prepare_waiting(skip_locked=False)
_FREE = _prepare_waiting(skip_locked=True)


@transaction.atomic
def grade(*, attempt: UUID, now: datetime, wait: bool = True) -> Attempt | None:
    """Grade a submitted attempt and return it; None: it is graded already, and is left alone.

    Without `wait` so is one that somebody else has locked. Receipt, marks, grading, result, quiz
    grade and event are written together or not at all.
    """
    row = (_WAITING if wait else _FREE).first(attempt)
    if row is None:
        return None
    of = load_grading_input(row, is_regraded=vars(row)["is_regraded"])
    marked = score_attempt(
        of.manifest,
        of.answers,
        of.public_versions,
        of.keys,
        NO_MANUAL_GRADES,
        of.corrections,
        None,
        _SCORES,
    )
    row.receipt = row.receipt or sign_receipt(build_receipt(row, now))
    record_grading(row, of, marked, GradingReason(Reason(row.submission_reason)), now)
    if hasattr(row, "grading_failure"):
        row.grading_failure.delete()
    transaction.on_commit(lambda: _observe_grading(row))
    return row


def _observe_grading(graded: Attempt) -> None:
    # Set in each row that was waiting: when it was handed in, or its deadline.
    waited = clock.now() - cast("datetime", graded.submitted_at)
    metrics.observe_grading(reason=graded.submission_reason, seconds=waited.total_seconds())


@transaction.atomic
def void(*, attempt: UUID, by: User, reason: str, now: datetime) -> Attempt:
    """Take an attempt out of the count, and out of the learner's quiz grade; its rows stay.

    No reason: Invalid. Not overseen by this person: NotFound. Void already: as it is.
    """
    voided = lifecycle.void(attempt=attempt, by=by, reason=reason, now=now)
    if not voided.is_staff_attempt:
        recompute_quiz_grade(voided.quiz_grade, now)
    return voided


class Sweep(NamedTuple):
    """What one sweep did: attempts ended, tried to be graded, and graded."""

    ended: int
    tried: int
    graded: int


def sweep(*, now: datetime) -> Sweep:
    """End what is overdue and grade what is submitted: one round, as much as takes a moment.

    Any number of processes may do it at once. Each attempt by itself: one that fails does not hold
    up the others. Those never tried come first, after them those whose next try is due.
    """
    ended = _end_overdue(now)
    attempts = deadline_queue.claim_untried(now=now, most=BATCH)
    graded = sum(_grade_claimed(attempt, now) for attempt in attempts)
    tried = len(attempts)
    for _ in range(RETRIES):
        attempt = deadline_queue.claim_retry(now=now)
        if attempt is None:
            break
        tried, graded = tried + 1, graded + _grade_claimed(attempt, now)
    return Sweep(ended, tried, graded)


def _end_overdue(now: datetime) -> int:
    overdue = deadline_queue.find_overdue(now)[:MOST_ENDED]
    try:
        return deadline_queue.end_attempts(overdue, now=now)
    except AWAY:
        raise
    except DatabaseError:
        log.exception("some attempt cannot be ended; each is ended by itself")
    return sum(_end_or_log(attempt, now) for attempt in overdue.values_list("uuid", flat=True))


def _end_or_log(attempt: UUID, now: datetime) -> int:
    try:
        return deadline_queue.end_attempts(Attempt.objects.filter(uuid=attempt), now=now)
    except AWAY:
        raise
    except DatabaseError as error:
        log.exception("attempt %s cannot be ended; it stays in the queue", attempt)
        record_failure(attempt=attempt, error=error, now=now)
    return 0


def _grade_claimed(attempt: UUID, now: datetime) -> bool:
    """Grade what this process has claimed; return whether it did."""
    try:
        if grade(attempt=attempt, now=now, wait=False):
            return True
    except AWAY:
        raise
    except Exception as error:
        log.exception("grading attempt %s failed; it stays in the queue", attempt)
        record_failure(attempt=attempt, error=error, now=now, claimed=True)
        _issue_receipt_or_log(attempt, now)
    else:
        deadline_queue.release(attempt=attempt, now=now)
    return False


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
        lifecycle.expire(attempts=Attempt.objects.filter(uuid=attempt, learner=learner), now=now)
        grade_or_log(attempt=attempt, now=now)
