"""Finishing and grading. Submitting and grading are two transactions: no grader blocks a submit."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import BigIntegerField, DateTimeField, Q, UUIDField

from accounts.models import User
from accounts.prepared import Prepared
from grading.contract import ENGINE_VERSION, Mark
from quizzes.attempts import selectors as attempts
from quizzes.attempts import services as lifecycle
from quizzes.attempts.journal import with_heads
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.bank.selectors import Paper, secrets
from quizzes.events import services as events
from quizzes.lib.errors import NotFound, Refused
from quizzes.results.marking import Marked, mark
from quizzes.results.models import Grading, ItemMark, Reason, Result
from quizzes.results.standings import refresh, settle

log = logging.getLogger(__name__)


def finish(*, attempt: UUID, learner: User, now: datetime) -> None:
    """Submit one's own attempt, then grade it; asked any number of times, it happens once.

    If grading fails the attempt stays submitted, and the sweep tries again. Not theirs: NotFound;
    void: Refused.
    """
    if not lifecycle.submit(attempt=attempt, learner=learner, now=now):
        _ended_before(attempt, learner)
    try_to_grade(attempt=attempt, now=now)


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


def try_to_grade(*, attempt: UUID, now: datetime) -> bool:
    """Grade, and if that fails write it down and go on: the row stays in the queue."""
    try:
        grade(attempt=attempt, now=now)
    except Exception:
        log.exception("grading attempt %s failed; it stays in the queue", attempt)
        return False
    return True


_WAITING: Prepared[Attempt] = Prepared(
    lambda attempt: (
        with_heads(Attempt.objects.filter(uuid=attempt, state=State.SUBMITTED))
        .select_for_update(of=("standing", "self"))
        .select_related("standing__attempt")
    ),
    UUIDField(),
)


@transaction.atomic
def grade(*, attempt: UUID, now: datetime) -> None:
    """Grade a submitted attempt; one that is graded already is left alone.

    Marks, grading, result, standing and event are written together or not at all.
    """
    row = _WAITING.first(attempt)
    if row is None:
        return
    manifest = Manifest.from_json(row.manifest)
    papers = attempts.papers_of(manifest)
    answers = [head.answer for head in attempts.heads_of(row, len(papers))]
    known = secrets(slot.version for slot in manifest.slots)
    marked = mark(manifest, answers, papers, [known[slot.version] for slot in manifest.slots])
    grading = _append(row, Reason(row.ending), marked, now)
    ItemMark.objects.bulk_create(_item_marks(grading, manifest, papers, answers, marked))
    Result.objects.create(
        attempt=row, grading=grading, quiz_id=row.quiz_id, learner_id=row.learner_id, updated_at=now
    )
    Attempt.objects.filter(pk=row.pk).update(state=State.GRADED, updated_at=now)
    settle(row, manifest, marked)
    events.record(
        kind="attempt.graded",
        subject=row.uuid,
        data={"grading": grading.number, "reason": grading.reason, "passed": marked.passed},
        now=now,
    )


def _append(row: Attempt, reason: Reason, marked: Marked, now: datetime) -> Grading:
    return Grading.objects.create(
        attempt=row,
        number=1,
        reason=reason,
        total_numerator=marked.total.numerator,
        total_denominator=marked.total.denominator,
        maximum_numerator=marked.maximum.numerator,
        maximum_denominator=marked.maximum.denominator,
        passed=marked.passed and not marked.provisional,
        provisional=marked.provisional,
        engine=ENGINE_VERSION,
        graded_at=now,
    )


def _item_marks(
    grading: Grading,
    manifest: Manifest,
    papers: Sequence[Paper],
    answers: Sequence[Mapping[str, Any] | None],
    marked: Marked,
) -> list[ItemMark]:
    made = []
    for number, (slot, paper, answer, one) in enumerate(
        zip(manifest.slots, papers, answers, marked.marks, strict=True)
    ):
        credit = one.credit if isinstance(one, Mark) else None
        made.append(
            ItemMark(
                grading=grading,
                slot=number,
                version_id=paper.version_id,
                answer=answer,
                credit_numerator=None if credit is None else credit.numerator,
                credit_denominator=None if credit is None else credit.denominator,
                points_numerator=slot.points.numerator,
                points_denominator=slot.points.denominator,
                mark=one.to_json() if isinstance(one, Mark) else {"needs_person": one.reason},
            )
        )
    return made


@transaction.atomic
def void(*, attempt: UUID, by: User, reason: str, now: datetime) -> Attempt:
    """Take an attempt out of the count, and out of the learner's standing; its rows stay.

    No reason: Invalid. Not overseen by this person: NotFound. Void already: as it is.
    """
    voided = lifecycle.void(attempt=attempt, by=by, reason=reason, now=now)
    refresh(voided.standing)
    return voided


def sweep(*, now: datetime, most: int = 500) -> int:
    """End what is overdue and grade what is submitted; give how many were graded.

    Each attempt by itself: one that fails does not hold up the others.
    """
    lifecycle.expire(now=now)
    waiting = Attempt.objects.filter(state=State.SUBMITTED).order_by("submitted_at")
    found = list(waiting.values_list("uuid", flat=True)[:most])
    return sum(try_to_grade(attempt=attempt, now=now) for attempt in found)


_UNSETTLED: Prepared[UUID] = Prepared(
    lambda now, learner: (
        Attempt.objects.filter(
            Q(state=State.OPEN, cutoff_at__lt=now) | Q(state=State.SUBMITTED), learner=learner
        )
        .order_by("pk")
        .values_list("uuid", flat=True)
    ),
    DateTimeField(),
    BigIntegerField(),
)


def settle_own(*, learner: User, now: datetime) -> None:
    """Do the sweep's work for one learner, who is about to look: nobody waits for a tick."""
    for attempt in _UNSETTLED.find(now, learner.pk):
        lifecycle.submit(attempt=attempt, learner=learner, now=now)
        try_to_grade(attempt=attempt, now=now)
