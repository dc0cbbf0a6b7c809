"""The codes of rows of the log, by a key outside the database: SQL alone makes none (ADR 56).

A code covers each column of a row, but for the number that the database gives it, and for what an
erasure empties: of that it covers the salted digests.
"""

from collections.abc import Iterable
from typing import Any

from quizzes.audit.digests import EVENT_COLUMNS, compute_digest
from quizzes.audit.models import AuditErasure
from quizzes.lib.signing_keys import load_signing_keys

NOT_COVERED = frozenset({"id", "mac"})


def add_mac(row: Any) -> None:
    """Set the code of a row whose other columns are all set."""
    row.mac = load_signing_keys().compute_mac(_compute(row))


def is_authentic(row: Any) -> bool:
    """Return whether this site wrote the row as it is."""
    return load_signing_keys().is_authentic(_compute(row), bytes(row.mac))


def _compute(row: Any) -> bytes:
    fields = _ERASURE_COLUMNS if isinstance(row, AuditErasure) else EVENT_COLUMNS
    return bytes.fromhex(compute_digest(_select(row, fields)))


def _select(row: Any, fields: Iterable[Any]) -> dict[str, Any]:
    names = {field.attname for field in fields} - NOT_COVERED
    return {name: getattr(row, name) for name in names}


_ERASURE_COLUMNS = AuditErasure._meta.concrete_fields
