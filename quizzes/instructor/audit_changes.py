"""What a form of the admin changed of a row, for the audit log."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model

from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record

PRIVATE = frozenset({"reason"})
"""Why a person has more time may be a matter of health: that stays on its page."""


def load_before(row: Model) -> Model | None:
    """Return a row as it is stored, before a form is saved; None for a new one."""
    return type(row)._default_manager.filter(pk=row.pk).first() if row.pk else None


def record_changes(  # noqa: PLR0913  the change, and what the form does not know of it
    code: AuditCode,
    row: Model,
    form: Any,
    before: Model | None,
    *,
    group: int | None = None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Record the fields that a form changed, as they were and as they are; none: no row.

    `extra` is added to what is new.
    """
    names = [name for name in form.changed_data if hasattr(row, name) and name not in PRIVATE]
    if names:
        record(
            code,
            about=row,
            group=group,
            before=None if before is None else {name: getattr(before, name) for name in names},
            after={name: getattr(row, name) for name in names} | dict(extra or {}),
        )
