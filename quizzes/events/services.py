"""Writing to the outbox."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from quizzes.events.models import Event


def record(*, kind: str, subject: uuid.UUID, data: Mapping[str, Any], now: datetime) -> Event:
    """Append one fact; call it inside the transaction that makes the fact true."""
    return Event.objects.create(kind=kind, subject=subject, data=dict(data), occurred_at=now)
