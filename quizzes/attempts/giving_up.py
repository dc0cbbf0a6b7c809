"""Giving up further attempts at a quiz: what is right is shown, and no other attempt begins."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from quizzes.attempts.models import QuizGrade, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.events import services as events
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.hash_chain import format_time


@transaction.atomic
def give_up(*, quiz: UUID, learner: User, now: datetime) -> QuizGrade:
    """End a learner's further attempts at a quiz, for good; done twice, it happens once.

    Without a graded attempt of their own: NotFound. Passed already, or with an attempt that is
    not graded yet: Refused. Attempts begin under the same lock, so none can begin meanwhile.
    """
    own = QuizGrade.objects.filter(quiz__uuid=quiz, learner=learner, attempts_graded__gt=0)
    quiz_grade = own.select_related("quiz").select_for_update(of=("self",)).first()
    if quiz_grade is None:
        raise NotFound
    if quiz_grade.gave_up_at is not None:
        return quiz_grade
    if quiz_grade.passed:
        raise Refused("passed_already")
    if quiz_grade.attempts.filter(state__in=[State.OPEN, State.SUBMITTED]).exists():
        raise Refused("attempt_open")
    quiz_grade.gave_up_at = now
    quiz_grade.save(update_fields=["gave_up_at"])
    events.record(kind="quiz_grade.given_up", subject=quiz, data={}, now=now)
    record(
        AuditCode.ATTEMPTS_GIVEN_UP,
        about=quiz_grade.quiz,
        by=learner,
        after={"gave_up_at": format_time(now)},
    )
    return quiz_grade
