"""What people ask for of their data: a copy, or its erasure after a time in which it is undone."""

from datetime import datetime, timedelta
from typing import BinaryIO
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.access import check_administrator
from accounts.models import NoticeKind, User
from accounts.security_notices import queue_notice
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.lib.file_store import get_file_store
from quizzes.lib.file_store.contract import create_draft
from quizzes.privacy.export_files import EXPORTS, export_name
from quizzes.privacy.models import DataRequest, RequestKind, RequestState
from quizzes.privacy.person_erasure import erase_person, plan_erasure
from quizzes.privacy.person_export import export_person

EXPORT_LIFETIME = timedelta(days=7)
"""How long a copy can be downloaded."""
BLOCKED_PAUSE = timedelta(hours=1)
"""After what time an erasure that was prevented is tried again."""


@transaction.atomic
def request_export(*, person: User, now: datetime) -> DataRequest:
    """Ask for a copy of a person's data; asked twice, it is the one that is waiting.

    The address is not confirmed: Refused (address_not_confirmed), here and for an erasure. What is
    filed under it may be another person's.
    """
    _check_confirmed(person)
    waiting, _ = DataRequest.objects.get_or_create(
        person=person,
        kind=RequestKind.EXPORT,
        state=RequestState.WAITING,
        defaults={"due_at": now},
    )
    return waiting


@transaction.atomic
def request_erasure(*, person: User, now: datetime) -> DataRequest:
    """Ask for the erasure of a person; it is done when the waiting time is over.

    Refused, with a code of `ErasurePlan.blockers`, where something prevents it now.
    """
    _check_confirmed(person)
    blockers = plan_erasure(person).blockers
    if blockers:
        raise Refused(blockers[0])
    due_at = now + timedelta(days=settings.ERASURE_DAYS)
    waiting, is_new = DataRequest.objects.get_or_create(
        person=person,
        kind=RequestKind.ERASURE,
        state=RequestState.WAITING,
        defaults={"due_at": due_at},
    )
    if is_new:
        record(AuditCode.ERASURE_REQUESTED, about=person, by=person, after={"due_at": due_at})
        queue_notice(
            user=person, kind=NoticeKind.ERASURE_REQUESTED, days=str(settings.ERASURE_DAYS)
        )
    return waiting


def _check_confirmed(person: User) -> None:
    if not person.is_confirmed:
        raise Refused("address_not_confirmed")


@transaction.atomic
def withdraw_erasure(*, person: User, now: datetime) -> None:
    """Take a request for erasure back; without one: NotFound."""
    waiting = _lock_waiting_erasure(DataRequest(person=person))
    _finish(waiting, RequestState.WITHDRAWN, now)
    record(AuditCode.ERASURE_WITHDRAWN, about=person, by=person)


@transaction.atomic
def refuse_erasure(*, request: DataRequest, by: User, reason: str, now: datetime) -> None:
    """Refuse a request for erasure; the person is told why by mail.

    By an administrator, else: NotFound. No reason: Invalid. No longer waiting: NotFound.
    """
    check_administrator(by)
    if not reason.strip():
        raise Invalid("reason_missing", where="reason")
    waiting = _lock_waiting_erasure(request)
    waiting.reason, waiting.decided_by = reason.strip()[:300], by
    _finish(waiting, RequestState.REFUSED, now)
    record(AuditCode.ERASURE_REFUSED, about=waiting.person, by=by, after={"reason": waiting.reason})
    queue_notice(user=waiting.person, kind=NoticeKind.ERASURE_REFUSED, reason=waiting.reason)


def _lock_waiting_erasure(request: DataRequest) -> DataRequest:
    waiting = DataRequest.objects.select_for_update(of=("self",)).select_related("person")
    erasure = waiting.filter(
        person=request.person_id, kind=RequestKind.ERASURE, state=RequestState.WAITING
    ).first()
    if erasure is None:
        raise NotFound
    return erasure


def _finish(request: DataRequest, state: RequestState, now: datetime) -> None:
    request.state, request.finished_at = state, now
    request.save()


def handle_due(*, now: datetime) -> int:
    """Make the copies and do the erasures that are due; return how many. Others may do so, too."""
    due = DataRequest.objects.filter(state=RequestState.WAITING, due_at__lte=now)
    return sum(handle(pk=pk, now=now) for pk in due.order_by("due_at").values_list("pk", flat=True))


@transaction.atomic
def handle(*, pk: int, now: datetime) -> bool:
    """Do what one request asks for; return whether it is done."""
    waiting = DataRequest.objects.select_for_update(skip_locked=True, of=("self",))
    request = (
        waiting.select_related("person")
        .filter(pk=pk, state=RequestState.WAITING, due_at__lte=now)
        .first()
    )
    if request is None:
        return False
    if request.kind == RequestKind.EXPORT:
        _make_export(request, now)
        return True
    return _erase(request, now)


def _make_export(request: DataRequest, now: datetime) -> None:
    """Write the file, durably, before the row says that it is there."""
    with create_draft() as draft:
        export_person(person=request.person, by=request.person, file=draft, now=now)
        get_file_store().save(export_name(request.uuid), draft)
    request.expires_at = now + EXPORT_LIFETIME
    _finish(request, RequestState.DONE, now)


def _erase(request: DataRequest, now: datetime) -> bool:
    """Erase the person; what prevents it is noted as a code, and it is tried again later."""
    person = request.person
    recipient, language = person.email, person.language
    try:
        with transaction.atomic():
            erase_person(person=person, by=None, now=now)
    except Refused as refused:
        request.reason, request.due_at = refused.code, now + BLOCKED_PAUSE
        request.save()
        return False
    _finish(DataRequest.objects.get(pk=request.pk), RequestState.DONE, now)
    queue_notice(user=person, kind=NoticeKind.ERASED, recipients=(recipient,), language=language)
    return True


def purge_exports(*, now: datetime) -> int:
    """Delete copies that are over their time, also those without a row; return how many had one."""
    over = DataRequest.objects.filter(
        kind=RequestKind.EXPORT, state=RequestState.DONE, expires_at__lte=now
    )
    for uuid in over.values_list("uuid", flat=True):
        get_file_store().delete(export_name(uuid))
    # Those of a transaction that failed, or of an erasure while the store of files was away.
    oldest = (now - EXPORT_LIFETIME).timestamp()
    for file in list(get_file_store().list_files(EXPORTS)):
        if file.saved_at < oldest:
            get_file_store().delete(file.name)
    return over.update(state=RequestState.EXPIRED)


def list_requests(person: User) -> list[DataRequest]:
    """Return what a person asked for, the newest first."""
    return list(DataRequest.objects.filter(person=person)[:20])


def open_export(*, person: User, request: UUID, now: datetime) -> BinaryIO:
    """Return the file of a person's own copy; another's, or one that is gone: NotFound."""
    ready = DataRequest.objects.filter(
        uuid=request,
        person=person,
        kind=RequestKind.EXPORT,
        state=RequestState.DONE,
        expires_at__gt=now,
    )
    if not ready.exists():
        raise NotFound
    try:
        return get_file_store().open(export_name(request))
    except FileNotFoundError as missing:
        raise NotFound from missing
