"""What the audit log says that fields of rows are, to compare rows that change with it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.prunings import load_pruned_number
from quizzes.lib.hash_chain import Difference

IN_LOG = "in the audit log"


@dataclass(frozen=True, slots=True)
class RecordedState:
    """The last value of each field by the row's UUID, and since when the log is whole.

    None in place of the fields: an erasure emptied one of its events. `begins_at` is None while
    nothing of the log was pruned.
    """

    fields: Mapping[UUID | None, Mapping[str, Any] | None]
    begins_at: datetime | None

    def compare(
        self, row: UUID, name: str, stored: Any, default: Any, changed_at: datetime | None
    ) -> Iterator[Difference]:
        """Yield where a field differs from the log.

        `default` is what it has when the log never names it. A change that was made before the log
        begins, at `changed_at`, is not in it.
        """
        recorded = self.fields.get(row, {})
        if recorded is None:
            return
        expected = recorded.get(name, default)
        if stored == expected:
            return
        if name not in recorded and self._is_before(changed_at):
            return
        yield name, str(stored), str(expected) if name in recorded else f"{expected}, or {IN_LOG}"

    def _is_before(self, changed_at: datetime | None) -> bool:
        return self.begins_at is not None and (changed_at is None or changed_at < self.begins_at)


def load_log_beginning() -> datetime | None:
    """Return since when the log is whole; None: since the site began."""
    first = AuditEvent.objects.order_by("created_at", "pk").values_list("created_at", flat=True)
    return first.first() if load_pruned_number() else None


def load_recorded(models: Iterable[type[Model]], *codes: AuditCode) -> RecordedState:
    """Read what events with these codes say that rows of these models have now."""
    fields: dict[UUID | None, dict[str, Any] | None] = {}
    types = [model._meta.model_name for model in models]
    events = AuditEvent.objects.filter(code__in=codes, subject_type__in=types)
    rows = events.order_by("created_at", "pk").values_list("subject", "after")
    for subject, after in rows.iterator():
        latest = fields.setdefault(subject, {})
        if latest is not None:
            latest.update(after or {})
    erased = events.filter(subject_erasure__isnull=False).values_list("subject", flat=True)
    return RecordedState({**fields, **dict.fromkeys(erased)}, load_log_beginning())
