"""Recording what was done, in the transaction that does it; and what was refused, in its own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.db.models import F, Model
from django.utils import translation

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import LONGEST_LABEL, LONGEST_USER_AGENT, AuditEvent, RefusalCount
from quizzes.audit.origin import Person, find_origin
from quizzes.audit.personal_sides import add_digests
from quizzes.audit.row_macs import add_mac
from quizzes.lib import clock
from quizzes.lib.hash_chain import format_time

REPEATED_WITHIN = timedelta(minutes=10)
MAX_REFUSALS = 60
"""Rows a minute and code; who tries a thousand passwords does not fill the disk with them."""


def record(  # noqa: PLR0913  what a row of the log is made of
    code: AuditCode,
    *,
    about: Model | None = None,
    label: str = "",
    by: Person | None = None,
    group: int | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    once: bool = False,
) -> None:
    """Append a row; call it inside the transaction that makes it true.

    `about` is the row that was changed or read; its label is its text, unless another is named.
    `by` is who did it where that is not the sender of the request. `group` is the primary key of
    the class that it concerns; without it, that of `about`. `before` and `after` are JSON without
    passwords, tokens, keys of questions and answers of learners. With `once` the same person's
    doing the same to the same is one row in ten minutes.
    """
    event = _build_event(code, about, label, by)
    event.group_pk = group if group is not None else getattr(about, "group_id", None)
    event.repeat_key = _build_repeat_key(event) if once else None
    _add_change(event, before, after)
    if once:
        AuditEvent.objects.bulk_create([event], ignore_conflicts=True)
    else:
        event.save(force_insert=True)


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """What was changed: a row, and what the log keeps of it before and after."""

    about: Model
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


def record_all(
    code: AuditCode,
    changes: Iterable[RecordedChange],
    *,
    by: Person | None = None,
    group: int | None = None,
) -> None:
    """Append a row on each change, together; otherwise as `record`."""
    events = []
    for change in changes:
        event = _build_event(code, change.about, "", by)
        event.group_pk = group if group is not None else getattr(change.about, "group_id", None)
        _add_change(event, change.before, change.after)
        events.append(event)
    AuditEvent.objects.bulk_create(events)


def _add_change(
    event: AuditEvent, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> None:
    """Set what was there before and after, and what covers the row: call it last."""
    event.before, event.after = _as_json(before), _as_json(after)
    add_digests(event)
    add_mac(event)


def record_refusal(code: AuditCode, *, about: Model | None = None, once: bool = False) -> None:
    """Append a row on what was refused; beyond MAX_REFUSALS a minute they are only counted.

    In a transaction of its own: there is no change that it goes with.
    """
    minute = clock.now().replace(second=0, microsecond=0)
    with transaction.atomic():
        refusals, _ = RefusalCount.objects.select_for_update().get_or_create(
            code=code, minute=minute
        )
        RefusalCount.objects.filter(pk=refusals.pk).update(count=F("count") + 1)
        if refusals.count < MAX_REFUSALS:
            record(code, about=about, once=once)


@transaction.atomic
def record_refusals_counted() -> None:
    """Append a row on each minute that is over and had more refusals than are listed."""
    over = RefusalCount.objects.filter(minute__lt=clock.now() - timedelta(minutes=2))
    for refusals in over.select_for_update().order_by("pk"):
        if refusals.count > MAX_REFUSALS:
            counted = {
                "code": refusals.code,
                "minute": refusals.minute,
                "count": refusals.count - MAX_REFUSALS,
            }
            record(AuditCode.REFUSALS_COUNTED, after=counted)
        refusals.delete()


def describe_person(person: Person) -> str:
    """Return the name and the address of a person, as the log keeps them."""
    return f"{person.name} <{person.email}>" if person.name else person.email


def _describe(about: Model | None) -> str:
    """Return the text of a row; of a person, with the address, since names are not unique."""
    if about is None:
        return ""
    is_person = hasattr(about, "email") and hasattr(about, "name")
    return describe_person(cast("Person", about)) if is_person else _describe_subject(about)


def _describe_subject(about: Model) -> str:
    """Return the text of a row in its own language, not in that of the request."""
    with translation.override(None):
        return str(about)


def _build_event(code: AuditCode, about: Model | None, label: str, by: Person | None) -> AuditEvent:
    origin = find_origin()
    person = by or origin.person
    return AuditEvent(
        code=code,
        actor=person.uuid if person else None,
        actor_label=_bound(describe_person(person) if person else ""),
        token=origin.token,
        address=origin.address[:45],
        user_agent=_bound(origin.user_agent, LONGEST_USER_AGENT),
        subject_type="" if about is None else about._meta.model_name or "",
        subject=getattr(about, "uuid", None),
        subject_label=_bound(label or _describe(about)),
    )


def _bound(text: str, length: int = LONGEST_LABEL) -> str:
    """Return a text as long as its column, without what no database stores."""
    return text.replace("\0", "")[:length]


def _as_json(fields: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the fields with what JSON has no form for, as a time or a fraction, as text."""
    return None if fields is None else {name: _as_text(field) for name, field in fields.items()}


def _as_text(field: Any) -> Any:
    if isinstance(field, datetime):
        return format_time(field)
    return field if isinstance(field, (str, int, bool, list, dict, type(None))) else str(field)


def _build_repeat_key(event: AuditEvent) -> UUID:
    span = int(event.created_at.timestamp() // REPEATED_WITHIN.total_seconds())
    same = (event.code, event.actor, event.subject_type, event.subject, event.subject_label, span)
    return UUID(bytes=sha256(repr(same).encode()).digest()[:16])
