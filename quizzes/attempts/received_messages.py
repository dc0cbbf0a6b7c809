"""Messages of instructors as a learner reads them: one more column of the attempt."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import JSONField, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

from quizzes.attempts.journal import JSONList, parse_moment
from quizzes.attempts.models import Attempt, AttemptMessage


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message; later ones have higher numbers."""

    number: int
    text: str
    sent_at: datetime


def with_messages(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Add `message_list`: a list of {number, text, sent_at}, or None."""
    listed = (
        AttemptMessage.objects.filter(attempt=OuterRef("pk"))
        .order_by()
        .values("attempt")
        .annotate(listed=JSONList(JSONObject(number="pk", text="text", sent_at="sent_at")))
        .values("listed")
    )
    return attempts.annotate(message_list=Subquery(listed, output_field=JSONField()))


def read_messages(attempt: Attempt) -> tuple[ReceivedMessage, ...]:
    """Return the messages of an attempt that `with_messages` has read, the oldest first."""
    rows: list[dict[str, Any]] = getattr(attempt, "message_list", None) or []
    return tuple(
        ReceivedMessage(row["number"], row["text"], parse_moment(row["sent_at"]))
        for row in sorted(rows, key=lambda row: row["number"])
    )
