"""The digests of audit events and seals: SHA-256 of everything stored in a row, in one form."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from quizzes.audit.models import AuditEvent, AuditSeal
from quizzes.audit.personal_sides import SIDES


def compute_event_digest(event: AuditEvent) -> str:
    """Return the digest of an audit event, in hexadecimal.

    Of its sides that name persons it covers the salted digests, of all else each column.
    """
    return compute_digest({field.attname: getattr(event, field.attname) for field in EVENT_COLUMNS})


def compute_events_digest(digests: Iterable[str]) -> str:
    """Return the digest of the digests of events, in the order of the events."""
    return sha256("\n".join(digests).encode()).hexdigest()


def describe_seal(seal: AuditSeal) -> dict[str, str | int]:
    """Return what the digest and the signature of a seal cover, as JSON."""
    columns = {field.attname: getattr(seal, field.attname) for field in _SEAL_COLUMNS}
    return {
        name: cell if isinstance(cell, int | str) else _write(cell)
        for name, cell in columns.items()
    }


def compute_seal_digest(seal: AuditSeal) -> str:
    """Return the digest of what a seal says."""
    return compute_digest(describe_seal(seal))


EVENT_COLUMNS = [
    field
    for field in AuditEvent._meta.concrete_fields
    if not any(field.name in side.erasable for side in SIDES)
]
_SEAL_COLUMNS = [
    field
    for field in AuditSeal._meta.concrete_fields
    if field.name not in {"id", "digest", "key", "signature"}
]


def compute_digest(columns: dict[str, Any]) -> str:
    """Return the digest of some columns of a row, in hexadecimal."""
    text = json.dumps(
        columns, default=_write, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return sha256(text.encode()).hexdigest()


def _write(cell: Any) -> str:
    if isinstance(cell, bytes | memoryview):
        return bytes(cell).hex()
    return cell.astimezone(UTC).isoformat() if isinstance(cell, datetime) else str(cell)
