"""Quizzes without an account: the first start makes the guest; what they leave open is ended."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.guests import create_guest
from accounts.models import User
from quizzes.attempts import services
from quizzes.attempts.models import Attempt, State, SubmissionReason


@transaction.atomic
def start_as_guest(*, quiz: UUID, language: str, time_zone: str, now: datetime) -> Attempt:
    """Open an attempt of a new guest. Refused or NotFound as any start: then there is no guest."""
    guest = create_guest(language=language, time_zone=time_zone, now=now)
    return services.start(quiz=quiz, learner=guest, now=now)


def end_attempts_of_guest(*, guest: User, now: datetime) -> list[UUID]:
    """Hand in what a guest who does not come back has left open; return all that wait for grades.

    They have no deadline of their own where the quiz has none.
    """
    mine = Attempt.objects.filter(learner=guest, learner__guest_since__isnull=False)
    mine.filter(state=State.OPEN).update(
        state=State.SUBMITTED,
        submitted_at=now,
        submission_reason=SubmissionReason.EXPIRED,
        updated_at=now,
    )
    return list(mine.filter(state=State.SUBMITTED).values_list("uuid", flat=True))
