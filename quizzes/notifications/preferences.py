"""Of what a person wants to be notified: on their page, or by the link in a mail."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.db import transaction

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Invalid, NotFound
from quizzes.notifications.models import (
    OPT_IN_KINDS,
    Notification,
    NotificationKind,
    NotificationPreference,
)

_SIGNER = Signer(salt="notifications.unsubscribe")


def list_wanted_kinds(user: User) -> list[NotificationKind]:
    """Return of what this person is notified, in the order of the kinds; one query."""
    rows = NotificationPreference.objects.filter(user=user)
    stored = dict(rows.values_list("kind", "is_wanted"))
    return [kind for kind in NotificationKind if is_wanted(kind, stored.get(kind))]


def is_wanted(kind: str, preference: bool | None) -> bool:
    """Return whether a person is notified of a kind, by what is stored; None: nothing is."""
    return kind not in OPT_IN_KINDS if preference is None else preference


def lock_wanted_kinds(user: User) -> list[NotificationKind]:
    """Return of what this person is notified; nobody else changes that in this transaction."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    return list_wanted_kinds(user)


@transaction.atomic
def choose_kinds(*, user: User, kinds: Collection[str], now: datetime) -> None:
    """Have oneself notified of these kinds and of no other. An unknown one: Invalid."""
    if not set(kinds) <= set(NotificationKind.values):
        raise Invalid("notification_kind_unknown", where="kinds")
    _choose(user, kinds, by=user, now=now)


@transaction.atomic
def unsubscribe(*, token: str, now: datetime) -> NotificationKind:
    """Notify the person of a token no more of the kind that it names; return that kind.

    A token that is not of this site: NotFound. An account that is gone looks like any other.
    """
    uuid, kind = _parse_token(token)
    user = User.objects.filter(uuid=uuid, erased_at=None).first()
    if user is not None:
        _choose(user, {*lock_wanted_kinds(user)} - {kind}, by=None, now=now)
    return kind


def find_kind_of_token(token: str) -> NotificationKind:
    """Return the kind that a token unsubscribes from. Not of this site: NotFound."""
    return _parse_token(token)[1]


def build_token(user: User, kind: str) -> str:
    """Return what a mail's link unsubscribes by, without signing in: of one kind, for ever."""
    return _SIGNER.sign(f"{user.uuid.hex}.{kind}")


def create_wanted(planned: Sequence[Notification]) -> None:
    """Write those of which their recipients want to be notified, each once."""
    recipients = {row.recipient_id for row in planned}
    rows = NotificationPreference.objects.filter(user__in=recipients)
    stored = {(row.user_id, row.kind): row.is_wanted for row in rows}
    Notification.objects.bulk_create(
        (row for row in planned if is_wanted(row.kind, stored.get((row.recipient_id, row.kind)))),
        ignore_conflicts=True,
    )


def _parse_token(token: str) -> tuple[UUID, NotificationKind]:
    try:
        uuid, _, kind = _SIGNER.unsign(token).partition(".")
        return UUID(uuid), NotificationKind(kind)
    except (BadSignature, ValueError) as error:
        raise NotFound from error


def _choose(user: User, kinds: Collection[str], *, by: User | None, now: datetime) -> None:
    before = {*lock_wanted_kinds(user)}
    for kind in sorted(before.symmetric_difference(kinds)):
        NotificationPreference.objects.update_or_create(
            user=user, kind=kind, defaults={"is_wanted": kind in kinds, "created_at": now}
        )
    if before != {*kinds}:
        record(
            AuditCode.NOTIFICATIONS_CHANGED,
            about=user,
            by=by,
            before={"wanted": sorted(before)},
            after={"wanted": sorted(kinds)},
        )
