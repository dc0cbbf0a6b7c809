"""Writing to the outbox."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from quizzes.events.models import Event, UnreadEvent


def record(
    *,
    kind: str,
    subject: uuid.UUID,
    data: Mapping[str, Any],
    now: datetime,
    is_news: bool = False,
) -> Event:
    """Append one fact; call it inside the transaction that makes the fact true.

    `is_news`: somebody may have to be notified of it, so it is put among the unread events.
    """
    event = Event.objects.create(kind=kind, subject=subject, data=dict(data), occurred_at=now)
    if is_news:
        UnreadEvent.objects.create(event=event, next_try_at=now)
    return event
