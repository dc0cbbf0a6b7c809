"""What one audit event changed, line by line."""

from dataclasses import dataclass

from quizzes.audit.models import AuditEvent
from quizzes.presentation.messages.audit_fields import describe_audit_field, describe_audit_value


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
            _as_text(before, name, event.subject_type),
            _as_text(after, name, event.subject_type),
        )
        for name in dict.fromkeys([*before, *after])
    ]


def _as_text(fields: dict[str, object], name: str, subject_type: str) -> str:
    return describe_audit_value(name, fields[name], subject_type) if name in fields else ""
