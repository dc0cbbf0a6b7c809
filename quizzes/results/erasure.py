"""Erasing what a learner answered: texts and salts go, digests and scores stay (ADR 25)."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.access import check_self_or_administrator
from accounts.models import User
from quizzes.attempts.models import Attempt, Erasure, Response, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Invalid, Refused
from quizzes.results.models import ItemResult, ManualGrade


@transaction.atomic
def erase_answers(*, learner: User, by: User | None, reason: str, now: datetime) -> Erasure:
    """Erase a learner's answers and what was written on them; return the record of it.

    By the learner, an administrator, or the site itself (None). The chains stay verifiable,
    receipts genuine, and scores as they are; nobody can recompute them. Asked again, it erases what
    came since. No reason: Invalid. Another person: NotFound. While an attempt is open or waits to
    be graded: Refused.
    """
    if not reason.strip():
        raise Invalid("reason_missing", where="reason")
    check_self_or_administrator(by, learner)
    attempts = Attempt.objects.select_for_update().filter(learner=learner).order_by("pk")
    if any(state in {State.OPEN, State.SUBMITTED} for state in [row.state for row in attempts]):
        raise Refused("attempt_not_ended")
    erasure = Erasure.objects.create(
        learner=learner, by=by, reason=reason.strip()[:300], erased_at=now
    )
    _empty(erasure, Q(learner=learner), Q(learner=learner))
    _forget_devices(attempts)
    after = {"erasure": erasure.uuid, "reason": erasure.reason, "attempts": len(attempts)}
    record(AuditCode.ANSWERS_ERASED, about=learner, by=by, after=after)
    return erasure


@transaction.atomic
def erase_old_answers(*, attempt: Attempt, reason: str, now: datetime) -> Erasure:
    """Erase the answers of one attempt and what was written on them; return the record of it.

    The site itself asks for it, when they are over their retention. Not ended: Refused.
    """
    locked = Attempt.objects.select_for_update().get(pk=attempt.pk)
    if locked.state in {State.OPEN, State.SUBMITTED}:
        raise Refused("attempt_not_ended")
    erasure = Erasure.objects.create(learner_id=locked.learner_id, reason=reason, erased_at=now)
    _empty(erasure, Q(attempt=locked), Q(grading__attempt=locked))
    _forget_devices(Attempt.objects.filter(pk=locked.pk))
    return erasure


def _forget_devices(attempts: QuerySet[Attempt]) -> None:
    """Take the devices from these attempts: a browser has one id for all who use it.

    The database numbers the attempts anew, so that who follows changes forgets the answers.
    """
    attempts.order_by().update(device=None, updated_at=F("updated_at"))


def _empty(erasure: Erasure, of_attempts: Q, of_gradings: Q) -> None:
    responses = Response.objects.filter(of_attempts, erasure=None)
    responses.update(answer=None, salt=None, erasure=erasure)
    item_results = ItemResult.objects.filter(of_gradings, erasure=None)
    item_results.update(answer=None, score=None, erasure=erasure)
    manual_grades = ManualGrade.objects.filter(of_attempts, erasure=None)
    manual_grades.update(comment="", salt=None, erasure=erasure)
