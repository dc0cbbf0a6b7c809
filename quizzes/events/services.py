"""Writing to the outbox."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from quizzes.events.models import Event, UnreadEvent
from quizzes.lib.prepared_writes import PreparedInsert


def record(
    *,
    kind: str,
    subject: uuid.UUID,
    data: Mapping[str, Any],
    now: datetime,
    is_news: bool = False,
) -> Event:
    """Append one fact; call it inside the transaction that makes the fact true.

    `is_news`: somebody may have to be notified of it, so it is put among the unread events. Any
    other event has no id where it is sent together with other rows.
    """
    event = Event(kind=kind, subject=subject, data=dict(data), occurred_at=now)
    if is_news:
        UnreadEvent.objects.create(event=_APPEND.insert(event), next_try_at=now)
    else:
        _APPEND.add(event)
    return event


_APPEND = PreparedInsert(Event)


def record_each(
    *,
    kind: str,
    facts: Sequence[tuple[uuid.UUID, Mapping[str, Any]]],
    now: datetime,
    is_news: bool = False,
) -> list[Event]:
    """Append facts of one kind, each a subject and its data, in one statement or two."""
    events = Event.objects.bulk_create(
        Event(kind=kind, subject=subject, data=dict(data), occurred_at=now)
        for subject, data in facts
    )
    if is_news:
        UnreadEvent.objects.bulk_create(
            UnreadEvent(event=event, next_try_at=now) for event in events
        )
    return events
