"""Erasing a person: nothing says who it was; answers go, scores and the record stay (ADR 31)."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import QuerySet

from accounts.access import check_self_or_administrator
from accounts.addresses import normalize
from accounts.models import Invitation, RosterImport, User
from quizzes.attempts.models import Attempt, Response, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.erasure import (
    erase_from_log,
    list_events_about,
    list_events_by,
)
from quizzes.audit.services import record
from quizzes.lib.errors import Refused
from quizzes.lib.file_store import get_file_store
from quizzes.lib.file_store.contract import FileStoreUnavailable
from quizzes.privacy.export_files import export_name
from quizzes.privacy.legal_holds import list_holds
from quizzes.privacy.models import DataRequest, RequestState
from quizzes.privacy.person_rows import (
    NAMED_AFTER_PERSON,
    list_addresses,
    list_identities,
    list_rows,
    list_subjects,
)
from quizzes.privacy.personal_tables import PERSONAL_TABLES, OnErasure
from quizzes.results.erasure import erase_answers

log = logging.getLogger(__name__)

REASON = "erasure of the person"
ERASED_DOMAIN = "erased.invalid"
"""A domain that no mail reaches (RFC 2606)."""


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What an erasure would do: rows by table; and what prevents it, as codes."""

    deleted: Mapping[str, int]
    remaining: Mapping[str, int]
    answers: int
    audit_events: int
    blockers: tuple[str, ...]


def plan_erasure(person: User) -> ErasurePlan:
    """Return what erasing this person would do, by counts; it changes nothing."""
    deleted: dict[str, int] = {}
    remaining: dict[str, int] = {}
    for table in PERSONAL_TABLES:
        if count := list_rows(table, person).count():
            counts = deleted if table.on_erasure is OnErasure.DELETED else remaining
            counts[table.model] = counts.get(table.model, 0) + count
    subjects, words = list_subjects(person), list_addresses(person)
    about = set(list_events_about(person.uuid, subjects, words).values_list("pk", flat=True))
    events = about | set(list_events_by(person.uuid).values_list("pk", flat=True))
    return ErasurePlan(
        deleted=deleted,
        remaining=remaining,
        answers=Response.objects.filter(learner__in=list_identities(person), erasure=None).count(),
        audit_events=len(events),
        blockers=tuple(_find_blockers(person)),
    )


def _find_blockers(person: User) -> Iterator[str]:
    if person.erased_at is not None:
        yield "already_erased"
    attempts = Attempt.objects.filter(learner__in=list_identities(person))
    if attempts.filter(state__in=[State.OPEN, State.SUBMITTED]).exists():
        yield "attempt_not_ended"
    if list_holds(person).exists():
        yield "legal_hold"
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=person.pk)
    if person.is_superuser and not others.exists():
        yield "last_administrator"


@transaction.atomic
def erase_person(*, person: User, by: User | None, now: datetime) -> ErasurePlan:
    """Erase a person; return what was done.

    By an administrator, the person or the site itself (None); others: NotFound. While something
    prevents it: Refused, with the first code of `ErasurePlan.blockers`.
    """
    check_self_or_administrator(by, person)
    locked = User.objects.select_for_update().get(pk=person.pk)
    plan = plan_erasure(locked)
    if plan.blockers:
        raise Refused(plan.blockers[0])
    for guest in locked.guests.filter(erased_at=None):
        erase_person(person=guest, by=None, now=now)
    subjects, words = list_subjects(locked), list_addresses(locked)
    erase_answers(learner=locked, by=by, reason=REASON, now=now)
    _delete_admin_log_about(locked, subjects)
    for table in PERSONAL_TABLES:
        if table.on_erasure is OnErasure.DELETED:
            list_rows(table, locked).delete()
    Invitation.objects.filter(email__in=words).delete()
    _empty_reasons(locked)
    _remove_from_rosters(locked)
    transaction.on_commit(partial(_delete_exports, locked))
    erase_from_log(person=locked.uuid, subjects=subjects, words=words)
    _erase_columns(locked, now)
    counts = {"answers": plan.answers, "audit_events": plan.audit_events}
    record(
        AuditCode.PERSON_ERASED,
        about=locked,
        label=str(locked),
        by=None if by is None or by.pk == locked.pk else by,
        after=counts,
    )
    return plan


def _delete_exports(person: User) -> None:
    """Delete the copies; what a store that is away keeps goes when its time is over, unopened."""
    try:
        for uuid in DataRequest.objects.filter(person=person).values_list("uuid", flat=True):
            get_file_store().delete(export_name(uuid))
    except FileStoreUnavailable:
        log.exception("copies of data of the erased person %s are deleted later", person.uuid)


def _delete_admin_log_about(person: User, subjects: list[UUID]) -> None:
    """Delete what Django's own log says of rows that have the person's name in theirs."""
    named: list[QuerySet[Any]] = [
        User.objects.filter(pk=person.pk),
        *(model._base_manager.filter(uuid__in=subjects) for model in NAMED_AFTER_PERSON),
    ]
    for rows in named:
        content_type = ContentType.objects.get_for_model(rows.model)
        keys = [str(key) for key in rows.values_list("pk", flat=True)]
        LogEntry.objects.filter(content_type=content_type, object_id__in=keys).delete()


def _empty_reasons(person: User) -> None:
    """Take from requests of before what somebody wrote on them; a refused one must have a text."""
    requests = DataRequest.objects.filter(person=person)
    requests.exclude(state=RequestState.REFUSED).update(reason="")
    requests.filter(state=RequestState.REFUSED).update(reason="–")


def _remove_from_rosters(person: User) -> None:
    """Take the lines that name a person from the lists of people that wait to be committed.

    There are as many as were read within a week; a line is found as the lists compare it.
    """
    for roster in RosterImport.objects.filter(committed_at=None).select_for_update():
        lines = [line for line in roster.people if not _is_named(person, line)]
        if len(lines) < len(roster.people):
            roster.people = lines
            roster.save(update_fields=["people"])


def _is_named(person: User, line: Mapping[str, Any]) -> bool:
    if person.school_id and line["school_id"] == person.school_id:
        return True
    return person.is_confirmed and normalize(str(line["email"])) == normalize(person.email)


def _erase_columns(person: User, now: datetime) -> None:
    person.email = f"{person.uuid}@{ERASED_DOMAIN}"
    person.confirmed_email = person.name = person.school_id = person.language = ""
    person.time_zone, person.time_zone_chosen = "UTC", False
    person.is_active = person.is_superuser = person.may_make_classes = False
    person.last_login, person.erased_at = None, now
    person.set_unusable_password()
    person.save()
