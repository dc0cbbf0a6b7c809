"""Audit events as lines of a table (CSV), with nothing that a spreadsheet takes for a formula."""

import csv
import json
from collections.abc import Iterator

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from quizzes.attempts.access import may_see_origin
from quizzes.audit.models import AuditEvent
from quizzes.lib.formula_injection import escape_formula
from quizzes.presentation.messages.audit import describe_audit_event

COLUMNS = (
    *("id", "time", "event", "sentence", "person", "person_id", "token", "address", "browser"),
    *("subject_type", "subject_id", "subject", "before", "after"),
)
CHUNK_SIZE = 500


class _EchoWriter:
    """A file for `csv.writer` whose `write` returns the line."""

    def write(self, line: str) -> str:
        return line


def generate_lines(events: QuerySet[AuditEvent], viewer: UserOrAnonymous) -> Iterator[str]:
    """Yield the table line by line; addresses only where this person may see them."""
    writer = csv.writer(_EchoWriter())
    yield writer.writerow(COLUMNS)
    for event in events.iterator(CHUNK_SIZE):
        yield writer.writerow(escape_formula(cell) for cell in _list_cells(event, viewer))


def _list_cells(event: AuditEvent, viewer: UserOrAnonymous) -> Iterator[str]:
    shows_origin = may_see_origin(viewer, event)
    yield from (str(event.uuid), event.created_at.isoformat(), event.code)
    yield from (describe_audit_event(event), event.actor_label, str(event.actor or ""), event.token)
    yield event.address if shows_origin else ""
    yield event.user_agent if shows_origin else ""
    yield from (event.subject_type, str(event.subject or ""), event.subject_label)
    for fields in (event.before, event.after):
        yield "" if fields is None else json.dumps(fields, ensure_ascii=False)
