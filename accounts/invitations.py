"""Use cases for invitations: an address is asked to join, and joins; roles count only from then on.

The rights are checked where an invitation is made and again where it is accepted: who no longer
teaches a class lets nobody else into it.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import translation

from accounts import email_confirmation
from accounts.access import UserOrAnonymous, groups_taught, is_administrator
from accounts.account_audit import record_invitation
from accounts.addresses import normalize
from accounts.invitation_links import build_token, digest_token
from accounts.models import (
    Group,
    Invitation,
    NoticeKind,
    Role,
    RosterEntry,
    SecurityNotice,
    User,
)
from accounts.roster_entries import take_entry
from accounts.security_notices import queue_notice
from accounts.services import add_to_group
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Invalid, NotFound, Refused

VALID_FOR = timedelta(days=14)
MAX_PER_DAY = 500
"""How many mails one instructor may have sent in a day; whoever runs the site has no limit."""
MAX_MAILS = 5
"""How often one invitation may be sent."""
LIFETIME = timedelta(days=365)
"""How long an invitation is listed."""


def visible_to(user: UserOrAnonymous) -> QuerySet[Invitation]:
    """Return the invitations that a person may see, send again and withdraw.

    Administrators: all. Instructors: those into their classes.
    """
    invitations: QuerySet[Invitation] = Invitation.objects.select_related("group", "invited_by")
    if is_administrator(user):
        return invitations
    return invitations.filter(group__in=groups_taught(user))


def open_at(now: datetime) -> Q:
    """Return the condition that an invitation can be accepted."""
    return Q(accepted_at=None, withdrawn_at=None, expires_at__gt=now)


def can_invite(by: User, group: Group | None) -> bool:
    """Return whether a person may invite into a class that is not over; `None`: to the site."""
    if not by.is_active:
        return False
    if group is None:
        return is_administrator(by)
    return groups_taught(by).filter(pk=group.pk, archived_at=None).exists()


@transaction.atomic
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
    """Invite an address, with a role in a class (without one named, as learner) or without a class.

    An open invitation of this address to this class is renewed with this role. Whether the address
    has an account makes no difference. NotFound: `by` may not invite there. Invalid: no such role.
    Refused: too many today.
    """
    if not can_invite(by, group):
        raise NotFound
    role = role or (Role.LEARNER if group else "")
    if role and (group is None or role not in Role.values):
        raise Invalid("invitation_role_unknown", where="role")
    address = normalize(email)
    waiting = Invitation.objects.filter(open_at(now), email=address, group=group)
    existing = waiting.select_for_update(of=("self",)).first()
    if existing is not None:
        return _renew(existing, by=by, role=role, now=now)
    _refuse_flood(by, now)
    invitation = Invitation(
        email=address,
        name=name,
        language=language or translation.get_language() or "en",
        group=group,
        role=role,
        invited_by=by,
        created_at=now,
        expires_at=now + VALID_FOR,
    )
    invitation.token_digest = digest_token(build_token(invitation))
    invitation.full_clean(exclude=["token_digest"])
    invitation.save()
    record_invitation(AuditCode.INVITATION_MADE, invitation, by=by, after=_describe(invitation))
    _queue_mail(invitation)
    return invitation


@transaction.atomic
def send_again(*, by: User, invitation: Invitation, now: datetime) -> None:
    """Send a new link, which is valid as long as a new invitation; the one before no longer works.

    NotFound: not theirs, or accepted or withdrawn. Refused: it was sent often enough.
    """
    row = _lock(by, invitation)
    _renew(row, by=by, role=row.role, now=now)


@transaction.atomic
def withdraw(*, by: User, invitation: Invitation, now: datetime) -> None:
    """Withdraw an invitation: its link no longer works, nor does the list of the class invite.

    NotFound: not theirs, accepted, or gone.
    """
    row = _lock(by, invitation)
    RosterEntry.objects.filter(group=row.group, email=row.email).delete()
    _withdraw(row, by=by, now=now)


@transaction.atomic
def withdraw_from_class(
    *, group: Group, by: User, now: datetime, emails: Collection[str] | None = None
) -> None:
    """Withdraw what invites these addresses, or anybody, into a class; `by` teaches it.

    Who was taken out does not come back by a mail of before.
    """
    if not groups_taught(by).filter(pk=group.pk).exists():
        raise NotFound
    rows = Invitation.objects.filter(group=group, accepted_at=None, withdrawn_at=None)
    if emails is not None:
        rows = rows.filter(email__in=emails)
    for row in rows.select_related("group").select_for_update(of=("self",)).order_by("pk"):
        _withdraw(row, by=by, now=now)


def _withdraw(row: Invitation, *, by: User, now: datetime) -> None:
    row.withdrawn_at = now
    row.save(update_fields=["withdrawn_at"])
    SecurityNotice.objects.filter(invitation=row).delete()
    record_invitation(AuditCode.INVITATION_WITHDRAWN, row, by=by, before=_describe(row))


def find_by_token(token: str, *, now: datetime) -> Invitation | None:
    """Return the invitation that a link opens; None where it does not, or not any more."""
    rows = Invitation.objects.select_related("group", "invited_by")
    invitation = rows.filter(open_at(now), token_digest=digest_token(token)).first()
    if invitation is None or not _may_still_invite(invitation):
        return None
    return invitation


def accept_as(*, user: User, token: str, now: datetime) -> None:
    """Accept an invitation with the account that has its address: that confirms the address, too.

    Whoever comes with the link reads the mails, and is signed in to the account. NotFound: it
    cannot be accepted any more, or is for another address.
    """
    with transaction.atomic():
        invitation = _claim(token, now)
        if invitation.email != user.email or not user.is_active:
            raise NotFound
        if not user.is_confirmed:
            email_confirmation.confirm_address(user=user, address=invitation.email)
            email_confirmation.sync_allauth_address(user)
        _give(invitation, user)


def accept_with_new_account(*, token: str, name: str, password: str, now: datetime) -> User:
    """Accept an invitation by a new account, with its address confirmed; return the account.

    An account that somebody made with this address, and never confirmed it, loses it. Refused: an
    account has confirmed it; its owner signs in and accepts. NotFound: it cannot be accepted.
    """
    try:
        with transaction.atomic():
            invitation = _claim(token, now)
            user = _create_account(invitation, name=name, password=password)
            _give(invitation, user)
    except IntegrityError as taken:  # somebody signed up with the address at this moment
        raise Refused("invitation_account_exists") from taken
    return user


def delete_old(*, now: datetime) -> int:
    """Delete invitations that were made long ago; return how many."""
    return Invitation.objects.filter(created_at__lt=now - LIFETIME).delete()[0]


def _create_account(invitation: Invitation, *, name: str, password: str) -> User:
    holder = User.objects.select_for_update(no_key=True).filter(email=invitation.email).first()
    if holder is not None and holder.is_confirmed:
        raise Refused("invitation_account_exists")
    if holder is not None:
        user = email_confirmation.replace_account(user=holder, password=password)
    else:
        user = User.objects.create_user(invitation.email, password)
        record(AuditCode.ACCOUNT_CREATED, about=user, by=user)
        email_confirmation.sync_allauth_address(user)
    user.name, user.language = name, invitation.language
    user.save(update_fields=["name", "language"])
    return user


def _claim(token: str, now: datetime) -> Invitation:
    """Mark an invitation as accepted, in one statement: of two at once, one gets NotFound."""
    digest = digest_token(token)
    rows = Invitation.objects.filter(token_digest=digest)
    if not rows.filter(open_at(now)).update(accepted_at=now):
        raise NotFound
    invitation = rows.select_related("group", "invited_by").get()
    if not _may_still_invite(invitation):
        raise NotFound
    return invitation


def _may_still_invite(invitation: Invitation) -> bool:
    inviter = invitation.invited_by
    return inviter is not None and can_invite(inviter, invitation.group)


def _give(invitation: Invitation, user: User) -> None:
    """Give the role, and record it. Nobody loses a role by being invited to a lesser one."""
    if invitation.group is not None:
        existing = user.memberships.filter(group=invitation.group).first()
        ranks: list[str] = list(Role.values)
        if existing is None or ranks.index(existing.role) < ranks.index(invitation.role):
            # By the site: the right of who invited was looked at again just now.
            role = Role(invitation.role)
            add_to_group(user=user, group=invitation.group, role=role, by=None)
        take_entry(group=invitation.group, user=user)
    record_invitation(
        AuditCode.INVITATION_ACCEPTED, invitation, by=user, after=_describe(invitation)
    )


def _lock(by: User, invitation: Invitation) -> Invitation:
    rows = visible_to(by).filter(pk=invitation.pk, accepted_at=None, withdrawn_at=None)
    row = rows.select_for_update(of=("self",)).first()
    if row is None:
        raise NotFound
    return row


def _renew(invitation: Invitation, *, by: User, role: str, now: datetime) -> Invitation:
    if invitation.mails >= MAX_MAILS:
        raise Refused("invitation_sent_often")
    _refuse_flood(by, now)
    before = _describe(invitation)
    invitation.mails += 1
    invitation.role, invitation.invited_by = role, by
    invitation.expires_at = now + VALID_FOR
    invitation.token_digest = digest_token(build_token(invitation))
    invitation.save()
    after = _describe(invitation)
    record_invitation(AuditCode.INVITATION_RENEWED, invitation, by=by, before=before, after=after)
    _queue_mail(invitation)
    return invitation


def _refuse_flood(by: User, now: datetime) -> None:
    """Refuse to send more mails for one instructor than a large course has people."""
    day_ago = now - timedelta(days=1)
    sent = Invitation.objects.filter(invited_by=by, expires_at__gt=day_ago + VALID_FOR)
    if not is_administrator(by) and sent.count() >= MAX_PER_DAY:
        raise Refused("invitations_too_many")


def _describe(invitation: Invitation) -> dict[str, str]:
    """Return what the log keeps."""
    return {
        "group": invitation.group.name if invitation.group else "",
        "role": invitation.role,
        "expires_at": invitation.expires_at.isoformat(),
    }


def _queue_mail(invitation: Invitation) -> None:
    """Queue the mail, in place of one that still waits."""
    SecurityNotice.objects.filter(invitation=invitation).delete()
    inviter = invitation.invited_by
    queue_notice(
        invitation=invitation,
        kind=NoticeKind.INVITATION,
        inviter=str(inviter) if inviter else "",
        group=invitation.group.name if invitation.group else "",
    )
