"""Which fields of a row were changed, as they were and as they are, for the audit log."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Model

from quizzes.audit.codes import AuditCode
from quizzes.audit.origin import Person
from quizzes.audit.services import record


def record_changes(  # noqa: PLR0913  the change, and what its row does not know of it
    code: AuditCode,
    row: Model,
    *,
    stored: Model | None,
    fields: Iterable[str],
    by: Person | None,
    group: int | None = None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Record which of these fields differ from the row as it was stored; none: no row of the log.

    Of a new row (`stored` is None) those that are not as the model has them by default. `extra` is
    added to what is new.
    """
    names = [name for name in fields if _is_changed(row, stored, name)]
    if names:
        record(
            code,
            about=row,
            by=by,
            group=group,
            before=None if stored is None else {name: getattr(stored, name) for name in names},
            after={name: getattr(row, name) for name in names} | dict(extra or {}),
        )


def _is_changed(row: Model, stored: Model | None, name: str) -> bool:
    fields = {field.name: field for field in row._meta.concrete_fields}
    field = fields[name]
    before = field.get_default() if stored is None else getattr(stored, field.attname)
    return bool(getattr(row, field.attname) != before)
