"""What one audit event changed, line by line."""

import json
from dataclasses import dataclass

from django.utils.translation import gettext as _

from quizzes.audit.models import AuditEvent
from quizzes.presentation.messages.audit_fields import describe_audit_field


@dataclass(frozen=True, slots=True)
class Change:
    """A field as it was and as it is; empty where it was not, or is no more."""

    name: str
    before: str
    after: str


def list_changes(event: AuditEvent) -> list[Change]:
    """Return the fields of an event in the reader's language, each with before and after."""
    before, after = event.before or {}, event.after or {}
    return [
        Change(
            describe_audit_field(name, event.subject_type),
            _as_text(before, name),
            _as_text(after, name),
        )
        for name in dict.fromkeys([*before, *after])
    ]


def _as_text(fields: dict[str, object], name: str) -> str:
    if name not in fields:
        return ""
    field = fields[name]
    if field is None:
        return "–"
    if isinstance(field, bool):
        return _("yes") if field else _("no")
    return field if isinstance(field, str) else json.dumps(field, ensure_ascii=False)
