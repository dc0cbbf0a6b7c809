"""Use cases for those who invite: asking addresses to join, one or a whole list; again; not at all.

An invitation gives no right before it is accepted (`invitation_acceptance`). The rights of who
invites are checked here and again there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import translation

from accounts.access import UserOrAnonymous, groups_taught, is_administrator
from accounts.account_audit import describe_invitation
from accounts.addresses import normalize
from accounts.invitation_acceptance import UNENDED, can_invite
from accounts.invitation_links import build_token, digest_token
from accounts.invitation_mails import count_mails, delete_waiting, queue_invitations
from accounts.models import Group, Invitation, Role, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import RecordedChange, record_all
from quizzes.lib.errors import Invalid, NotFound, Refused

VALID_FOR = timedelta(days=14)
MAX_MAILS = 5
"""How often one invitation may be sent."""
LIFETIME = timedelta(days=365)
"""How long an invitation is listed."""
RENEWED_FIELDS = ("mails", "role", "invited_by", "expires_at", "token_digest", "updated_at")


@dataclass(frozen=True, slots=True)
class InvitedPerson:
    """Somebody on a list: the address, and the name and the school id that the list gives."""

    email: str
    name: str = ""
    school_id: str = ""


def visible_to(user: UserOrAnonymous) -> QuerySet[Invitation]:
    """Return the invitations that a person may see, send again and withdraw.

    Administrators: all. Instructors: those into their classes.
    """
    invitations: QuerySet[Invitation] = Invitation.objects.select_related("group", "invited_by")
    if is_administrator(user):
        return invitations
    return invitations.filter(group__in=groups_taught(user))


def invite(  # noqa: PLR0913  what an invitation is made of
    *,
    by: User,
    email: str,
    now: datetime,
    group: Group | None = None,
    role: str = "",
    name: str = "",
    language: str = "",
) -> Invitation:
    """Invite an address, as `invite_many` does. Sent often enough: Refused."""
    people = [InvitedPerson(email, name)]
    sent = invite_many(by=by, people=people, now=now, group=group, role=role, language=language)
    if not sent:
        raise Refused("invitation_sent_often")
    return sent[0]


@transaction.atomic
def invite_many(  # noqa: PLR0913  what an invitation is made of
    *,
    by: User,
    people: Iterable[InvitedPerson],
    now: datetime,
    group: Group | None = None,
    role: str = "",
    language: str = "",
) -> list[Invitation]:
    """Invite addresses, with a role in a class (without one named, as learners) or without a class.

    To the site, the role is none, or instructor: they may make classes (`may_make_classes`).
    The number of statements does not depend on how many they are; the mails are sent by the clock,
    in `language`, or the one that the owner of an address has chosen here. An invitation of an
    address to this class that has not ended is renewed with this role, unless it was sent often
    enough. Whether an address has an account makes no difference. Return those that are sent.
    NotFound: `by` may not invite there. Invalid: no such role. Refused: too many mails today.
    """
    if not can_invite(by, group):
        raise NotFound
    role = role or (Role.LEARNER if group else "")
    if role not in (("", Role.INSTRUCTOR) if group is None else Role.values):
        raise Invalid("invitation_role_unknown", where="role")
    if group is not None:  # of two lists at once, the second finds the invitations of the first
        Group.objects.select_for_update().get(pk=group.pk)
    people_by_email = {normalize(person.email): person for person in people}
    waiting = Invitation.objects.filter(UNENDED, email__in=people_by_email, group=group)
    existing = list(waiting.select_related("group").select_for_update(of=("self",)))
    new = [
        Invitation(
            email=email,
            name=person.name,
            school_id=person.school_id,
            language=language or translation.get_language() or "en",
            group=group,
            role=role,
        )
        for email, person in people_by_email.items()
        if email not in {invitation.email for invitation in existing}
    ]
    return _send(new, by=by, now=now) + _send(existing, by=by, now=now, role=role)


@transaction.atomic
def send_again(*, by: User, invitation: Invitation, now: datetime) -> None:
    """Send a new link, which is valid as long as a new invitation; the one before no longer works.

    NotFound: not theirs, or ended. Refused: it was sent often enough, or too many mails today.
    """
    if not _send(_lock(by, Q(pk=invitation.pk)), by=by, now=now):
        raise Refused("invitation_sent_often")


@transaction.atomic
def send_many_again(*, by: User, invitations: QuerySet[Invitation], now: datetime) -> int:
    """Send a new link for each that may be sent once more and has not ended; return how many.

    None of them theirs, or all ended: NotFound. Refused: too many mails today, and none is sent.
    """
    return len(_send(_lock(by, Q(pk__in=invitations.values("pk"))), by=by, now=now))


@transaction.atomic
def withdraw(*, by: User, invitations: QuerySet[Invitation], now: datetime) -> int:
    """Withdraw invitations: nobody joins by them, by their links or signed in; return how many.

    None of them theirs, or all ended: NotFound.
    """
    return _withdraw(_lock(by, Q(pk__in=invitations.values("pk"))), by=by, now=now)


@transaction.atomic
def withdraw_from_class(
    *, group: Group, by: User, now: datetime, emails: Collection[str] | None = None
) -> int:
    """Withdraw what invites these addresses, or anybody, into a class; `by` teaches it.

    Who was taken out does not come back by a mail of before.
    """
    if not groups_taught(by).filter(pk=group.pk).exists():
        raise NotFound
    rows = Invitation.objects.filter(UNENDED, group=group)
    if emails is not None:
        rows = rows.filter(email__in=emails)
    locked = rows.select_related("group").select_for_update(of=("self",)).order_by("pk")
    return _withdraw(list(locked), by=by, now=now)


def delete_old(*, now: datetime) -> int:
    """Delete invitations that were made long ago; return how many."""
    return Invitation.objects.filter(created_at__lt=now - LIFETIME).delete()[0]


def _lock(by: User, which: Q) -> list[Invitation]:
    rows = visible_to(by).filter(which, UNENDED).order_by("pk")
    locked = list(rows.select_for_update(of=("self",)))
    if not locked:
        raise NotFound
    return locked


def _withdraw(rows: Sequence[Invitation], *, by: User, now: datetime) -> int:
    if not rows:
        return 0
    Invitation.objects.filter(pk__in=[row.pk for row in rows]).update(
        withdrawn_at=now, updated_at=now
    )
    delete_waiting(Q(invitation__in=rows))
    changes = [RecordedChange(row, before=describe_invitation(row)) for row in rows]
    record_all(AuditCode.INVITATION_WITHDRAWN, changes, by=by)
    return len(rows)


def _send(
    invitations: Sequence[Invitation], *, by: User, now: datetime, role: str | None = None
) -> list[Invitation]:
    """Save and queue each with a new link, if it may have one more mail; return those."""
    sent = [row for row in invitations if row.pk is None or row.mails < MAX_MAILS]
    count_mails(by=by, number=len(sent), now=now)
    before = {row.pk: describe_invitation(row) for row in sent if row.pk}
    for row in sent:
        row.mails += row.pk in before
        row.role = row.role if role is None else role
        row.invited_by, row.expires_at, row.updated_at = by, now + VALID_FOR, now
        if row.pk not in before:
            row.created_at = now
        row.token_digest = digest_token(build_token(row))
        row.clean_fields(exclude={"group", "invited_by"})  # each would be a query
    new = [row for row in sent if row.pk not in before]
    renewed = [row for row in sent if row.pk in before]
    Invitation.objects.bulk_create(new)
    Invitation.objects.bulk_update(renewed, RENEWED_FIELDS)
    _record(AuditCode.INVITATION_MADE, new, by, {})
    _record(AuditCode.INVITATION_RENEWED, renewed, by, before)
    queue_invitations(sent)
    return sent


def _record(
    code: AuditCode,
    rows: Sequence[Invitation],
    by: User,
    before: Mapping[int, dict[str, object]],
) -> None:
    changes = [
        RecordedChange(row, before=before.get(row.pk), after=describe_invitation(row))
        for row in rows
    ]
    record_all(code, changes, by=by)
