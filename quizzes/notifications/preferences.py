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
from quizzes.notifications.models import Notification, NotificationKind, NotificationOptOut

_SIGNER = Signer(salt="notifications.unsubscribe")


def list_wanted_kinds(user: User) -> list[NotificationKind]:
    """Return of what this person is notified, in the order of the kinds; one query."""
    unwanted = set(NotificationOptOut.objects.filter(user=user).values_list("kind", flat=True))
    return [kind for kind in NotificationKind if kind not in unwanted]


def lock_wanted_kinds(user: User) -> list[NotificationKind]:
    """Return of what this person is notified; nobody else changes that in this transaction."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    return list_wanted_kinds(user)


@transaction.atomic
def choose_kinds(*, user: User, kinds: Collection[str], now: datetime) -> None:
    """Have oneself notified of these kinds and of no other. An unknown one: Invalid."""
    if not set(kinds) <= set(NotificationKind.values):
        raise Invalid("notification_kind_unknown", where="kinds")
    _opt_out(user, set(NotificationKind.values) - set(kinds), by=user, now=now)


@transaction.atomic
def unsubscribe(*, token: str, now: datetime) -> NotificationKind:
    """Notify the person of a token no more of the kind that it names; return that kind.

    A token that is not of this site: NotFound. An account that is gone looks like any other.
    """
    uuid, kind = _parse_token(token)
    user = User.objects.filter(uuid=uuid, erased_at=None).first()
    if user is not None:
        kinds = {*lock_wanted_kinds(user)} - {kind}
        _opt_out(user, {*NotificationKind.values} - kinds, by=None, now=now)
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
    opt_outs = NotificationOptOut.objects.filter(user__in=recipients)
    unwanted = set(opt_outs.values_list("user", "kind"))
    Notification.objects.bulk_create(
        (row for row in planned if (row.recipient_id, row.kind) not in unwanted),
        ignore_conflicts=True,
    )


def _parse_token(token: str) -> tuple[UUID, NotificationKind]:
    try:
        uuid, _, kind = _SIGNER.unsign(token).partition(".")
        return UUID(uuid), NotificationKind(kind)
    except (BadSignature, ValueError) as error:
        raise NotFound from error


def _opt_out(user: User, unwanted: Collection[str], *, by: User | None, now: datetime) -> None:
    before = set(NotificationKind.values) - set(lock_wanted_kinds(user))
    rows = NotificationOptOut.objects.filter(user=user)
    rows.exclude(kind__in=unwanted).delete()
    NotificationOptOut.objects.bulk_create(
        (
            NotificationOptOut(user=user, kind=kind, created_at=now)
            for kind in sorted(set(unwanted) - before)
        ),
        ignore_conflicts=True,
    )
    if before != set(unwanted):
        record(
            AuditCode.NOTIFICATIONS_CHANGED,
            about=user,
            by=by,
            before={"unwanted": sorted(before)},
            after={"unwanted": sorted(unwanted)},
        )
