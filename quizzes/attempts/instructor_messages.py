"""Messages to learners who are at a quiz: plain text, on their page within seconds.

Who begins later does not get them: each is written for the attempts that run when it is sent.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from quizzes.attempts.deadline_extension import choose_managed
from quizzes.attempts.models import MAX_MESSAGE_LENGTH, Attempt, AttemptMessage, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Invalid


@transaction.atomic
def send_message(*, attempts: QuerySet[Attempt], text: str, by: User, now: datetime) -> int:
    """Write to the learners of those of these attempts that still run; return to how many.

    No text, or more than `MAX_MESSAGE_LENGTH` characters: Invalid. One of them is not of a learner
    whom this person teaches: NotFound.
    """
    text = text.strip()
    if not text:
        raise Invalid("text_missing", where="text")
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Invalid("too_long", where="text")
    in_time = Q(cutoff_at=None) | Q(cutoff_at__gte=now)
    running = choose_managed(attempts, by).filter(in_time, state=State.OPEN)
    rows = list(running.select_related("quiz", "learner").order_by("pk"))
    AttemptMessage.objects.bulk_create(
        AttemptMessage(attempt=row, learner_id=row.learner_id, text=text, sent_by=by, sent_at=now)
        for row in rows
    )
    for row in rows:
        group = row.quiz.group_id
        record(AuditCode.MESSAGE_SENT, about=row, group=group, by=by, after={"text": text})
    return len(rows)
