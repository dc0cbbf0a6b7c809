"""How long what is kept: texts of answers, accounts that nobody confirmed, requests (ADR 31).

Each kind has a setting in days; 0 keeps it for ever. What a legal hold is on stays.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import Membership, User
from quizzes.attempts.models import Assignment, Attempt, Response, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Refused
from quizzes.notifications.models import Notification, NotificationState
from quizzes.privacy.models import DataRequest, LegalHold, RequestState
from quizzes.privacy.person_erasure import erase_person
from quizzes.results.erasure import erase_old_answers

REASON = "retention"
BATCH = 500


@dataclass(frozen=True, slots=True)
class RetentionKind:
    """A kind of data: its setting in days, what is over, and what removes a row of it.

    `remove` returns how many it removed: none where something prevents it.
    """

    name: str
    setting: str
    find: Callable[[datetime], QuerySet[Any]]
    remove: Callable[[Any, datetime], int]


@dataclass(frozen=True, slots=True)
class OverRetention:
    """How many rows of a kind ended before a time; no time where they are kept for ever."""

    kind: str
    before: datetime | None
    count: int


def find_answers(before: datetime) -> QuerySet[Attempt]:
    """Return attempts with answers that ended before a time, as their classes and windows did."""
    later = Assignment.objects.filter(quiz=OuterRef("quiz")).filter(
        Q(closes_at__gte=before) | Q(group__term__ends_on__gte=before.date())
    )
    answers = Response.objects.filter(attempt=OuterRef("pk"), erasure=None)
    ended = Attempt.objects.filter(state__in=[State.GRADED, State.VOID], updated_at__lt=before)
    ended = ended.filter(Exists(answers)).exclude(Exists(later))
    return ended.exclude(learner__in=_list_held())


def find_unconfirmed(before: datetime) -> QuerySet[User]:
    """Return accounts made before a time whose address nobody confirmed, and that did nothing."""
    people = User.objects.filter(date_joined__lt=before, erased_at=None, is_superuser=False)
    people = people.exclude(confirmed_email=F("email")).filter(attempts=None, guest_since=None)
    return people.exclude(pk__in=_list_held())


def find_requests(before: datetime) -> QuerySet[DataRequest]:
    """Return requests that were done with before a time."""
    ended = DataRequest.objects.exclude(state=RequestState.WAITING)
    return ended.filter(finished_at__lt=before).exclude(
        state=RequestState.DONE, expires_at__isnull=False
    )


def find_notifications(before: datetime) -> QuerySet[Notification]:
    """Return notifications that were sent, or not sent for good, and written before a time."""
    over = (NotificationState.SENT, NotificationState.NOT_SENT)
    rows = Notification.objects.filter(state__in=over, created_at__lt=before)
    return rows.exclude(recipient__in=_list_held())


def _list_held() -> QuerySet[Any, Any]:
    """Return the keys of whom a hold is on, by a class of theirs, too; and of their guests."""
    groups = LegalHold.objects.filter(group__isnull=False).values("group")
    in_groups = Membership.objects.filter(group__in=groups).values("user")
    people = LegalHold.objects.filter(person__isnull=False).values("person")
    people_on_hold = User.objects.filter(Q(pk__in=in_groups) | Q(pk__in=people)).values("pk")
    return User.objects.filter(Q(pk__in=people_on_hold) | Q(kept_by__in=people_on_hold)).values(
        "pk"
    )


def _remove_answers(attempt: Attempt, now: datetime) -> int:
    erase_old_answers(attempt=attempt, reason=REASON, now=now)
    return 1


def _remove_person(person: User, now: datetime) -> int:
    try:
        erase_person(person=person, by=None, now=now)
    except Refused:
        return 0
    return 1


def _remove_row(row: DataRequest | Notification, _now: datetime) -> int:
    return row.delete()[0]


KINDS = (
    RetentionKind("answers", "RETENTION_ANSWER_DAYS", find_answers, _remove_answers),
    RetentionKind(
        "accounts never confirmed", "RETENTION_UNCONFIRMED_DAYS", find_unconfirmed, _remove_person
    ),
    RetentionKind("requests", "RETENTION_REQUEST_DAYS", find_requests, _remove_row),
    RetentionKind("notifications", "RETENTION_NOTIFICATION_DAYS", find_notifications, _remove_row),
)


def list_over_retention(*, now: datetime) -> list[OverRetention]:
    """Return what is over its retention, kind by kind; it changes nothing."""
    limits = [(kind, _compute_limit(kind, now)) for kind in KINDS]
    return [
        OverRetention(kind.name, before, kind.find(before).count() if before else 0)
        for kind, before in limits
    ]


def apply_retention(*, now: datetime) -> list[OverRetention]:
    """Remove what is over its retention; return how many of each kind.

    Each row is a transaction of its own: interrupted, it goes on where it was.
    """
    removed = [_remove_kind(kind, _compute_limit(kind, now), now) for kind in KINDS]
    counts = {row.kind: row.count for row in removed if row.count}
    if counts:
        with transaction.atomic():
            record(AuditCode.RETENTION_APPLIED, after=counts)
    return removed


def _compute_limit(kind: RetentionKind, now: datetime) -> datetime | None:
    days: int = getattr(settings, kind.setting)
    return now - timedelta(days=days) if days else None


def _remove_kind(kind: RetentionKind, before: datetime | None, now: datetime) -> OverRetention:
    count, last = 0, 0
    while before is not None:
        rows = list(kind.find(before).filter(pk__gt=last).order_by("pk")[:BATCH])
        count += sum(kind.remove(row, now) for row in rows)
        if len(rows) < BATCH:
            break
        last = rows[-1].pk
    return OverRetention(kind.name, before, count)
