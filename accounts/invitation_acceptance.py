"""Joining by an invitation: by the link of its mail, or signed in with the address it is for.

The right of who invited is looked at again when a person joins: who no longer teaches a class lets
nobody into it. Whichever way somebody joins, the same row ends, with the mail that still waits.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import email_confirmation
from accounts.access import groups_taught, is_administrator, memberships_in_force
from accounts.account_audit import (
    describe_invitation,
    record_invitation,
    record_membership,
    record_school_ids,
)
from accounts.invitation_links import digest_token
from accounts.invitation_mails import delete_waiting
from accounts.models import Group, Invitation, Membership, Role, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import NotFound, Refused

UNENDED = Q(accepted_at=None, declined_at=None, withdrawn_at=None)
"""Neither accepted nor declined nor withdrawn; its time may be over."""


def open_at(now: datetime) -> Q:
    """Return the condition that an invitation can be accepted."""
    return UNENDED & Q(expires_at__gt=now)


def can_invite(by: User, group: Group | None) -> bool:
    """Return whether a person may invite into a class that is not over; `None`: to the site."""
    if not by.is_active:
        return False
    if group is None:
        return is_administrator(by)
    return groups_taught(by).filter(pk=group.pk, archived_at=None).exists()


def find_by_token(token: str, *, now: datetime) -> Invitation | None:
    """Return the invitation that a link opens; None where it does not, or not any more."""
    rows = Invitation.objects.select_related("group", "invited_by")
    invitation = rows.filter(open_at(now), token_digest=digest_token(token)).first()
    if invitation is None or not _may_still_invite(invitation):
        return None
    return invitation


def has_accepted(*, user: User, token: str) -> bool:
    """Return whether this person is where a link led: by it, a code or their first page."""
    is_there = Q(group=None) | Q(group__memberships__user=user)
    rows = Invitation.objects.filter(is_there, token_digest=digest_token(token), email=user.email)
    return user.is_confirmed and rows.exclude(accepted_at=None).exists()


def accept_as(*, user: User, token: str, now: datetime) -> None:
    """Accept an invitation with the account that has its address: that confirms the address, too.

    Whoever comes with the link reads the mails, and is signed in to the account. NotFound: it
    cannot be accepted any more, or is for another address.
    """
    with transaction.atomic():
        invitation = _claim(Q(token_digest=digest_token(token)), now)
        if invitation.email != user.email or not user.is_active:
            raise NotFound
        if not user.is_confirmed:
            email_confirmation.confirm_address(user=user, address=invitation.email)
            email_confirmation.sync_allauth_address(user)
        _let_in(invitation, user)


def accept_with_new_account(*, token: str, name: str, password: str, now: datetime) -> User:
    """Accept an invitation by a new account, with its address confirmed; return the account.

    An account that somebody made with this address, and never confirmed it, loses it. Refused: an
    account has confirmed it; its owner signs in and accepts. NotFound: it cannot be accepted.
    """
    try:
        with transaction.atomic():
            invitation = _claim(Q(token_digest=digest_token(token)), now)
            user = _create_account(invitation, name=name, password=password)
            _let_in(invitation, user)
    except IntegrityError as taken:  # somebody signed up with the address at this moment
        raise Refused("invitation_account_exists") from taken
    return user


def list_invitations(user: User, *, now: datetime) -> QuerySet[Invitation]:
    """Return the classes that invite this person: to an address that they have confirmed."""
    if not user.is_confirmed:
        return Invitation.objects.none()
    instructors = memberships_in_force().filter(
        group=OuterRef("group"), user=OuterRef("invited_by"), role=Role.INSTRUCTOR
    )
    invitations = Invitation.objects.filter(
        Q(Exists(instructors)) | Q(invited_by__is_superuser=True),
        open_at(now),
        email=user.email,
        group__isnull=False,
        group__archived_at=None,
        invited_by__is_active=True,
    )
    return invitations.select_related("group", "invited_by").order_by("created_at", "pk")


@transaction.atomic
def accept_invitation(*, invitation: UUID, user: User, now: datetime) -> Group:
    """Let a person into a class that invites them; return it.

    Not their address, or it cannot be accepted any more: NotFound.
    """
    row = list_invitations(user, now=now).filter(uuid=invitation).first()
    if row is None or row.group is None:
        raise NotFound
    _let_in(_claim(Q(pk=row.pk), now), user)
    return row.group


@transaction.atomic
def decline_invitation(*, invitation: UUID, user: User, now: datetime) -> None:
    """Decline to join a class: its link no longer works either. Not their address: NotFound."""
    row = list_invitations(user, now=now).filter(uuid=invitation).first()
    if row is None or not Invitation.objects.filter(open_at(now), pk=row.pk).update(
        declined_at=now, updated_at=now
    ):
        raise NotFound
    delete_waiting(Q(invitation=row))
    record_invitation(AuditCode.INVITATION_DECLINED, row, by=user, before=describe_invitation(row))


def admit(*, group: Group, user: User, now: datetime) -> Membership:
    """Make a person a member of a class whose row is locked: as it invites them, else a learner.

    An invitation whose time is over still fills in name and school id, and gives no other role.
    """
    rows = Invitation.objects.filter(UNENDED, group=group, email=user.email)
    invitation = rows.select_related("group", "invited_by").first()
    if invitation is None:
        return _join(group, user, Role.LEARNER)
    is_valid = _may_still_invite(invitation)
    rows.update(**{"accepted_at" if is_valid else "withdrawn_at": now, "updated_at": now})
    if is_valid and invitation.expires_at > now:
        return _let_in(invitation, user) or _join(group, user, Role.LEARNER)
    delete_waiting(Q(invitation=invitation))
    if is_valid:
        fill_in(user=user, name=invitation.name, school_id=invitation.school_id)
    return _join(group, user, Role.LEARNER)


def fill_in(*, user: User, name: str, school_id: str) -> None:
    """Give a person the name and the school id of a list where they have none.

    A school id that somebody else has is left out.
    """
    if name and not user.name:
        user.name = name
        user.save(update_fields=["name"])
    if school_id and not user.school_id:
        fill_in_school_ids({user: school_id})


def fill_in_school_ids(school_ids: Mapping[User, str]) -> None:
    """Give people the school ids of a list where they have none, all together."""
    used_ids = set(
        User.objects.filter(school_id__in=set(school_ids.values()) - {""}).values_list(
            "school_id", flat=True
        )
    )
    changed = [
        user
        for user, school_id in school_ids.items()
        if school_id and not user.school_id and school_id not in used_ids
    ]
    for user in changed:
        user.school_id = school_ids[user]
    User.objects.bulk_update(changed, ["school_id"])
    record_school_ids(changed)


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


def _claim(which: Q, now: datetime) -> Invitation:
    """Mark an invitation as accepted, in one statement: of two at once, one gets NotFound."""
    rows = Invitation.objects.filter(which)
    group_pk = rows.values_list("group", flat=True).first()
    if group_pk is not None:  # before its invitations, as whoever archives the class does
        Group.objects.select_for_update().get(pk=group_pk)
    if not rows.filter(open_at(now)).update(accepted_at=now, updated_at=now):
        raise NotFound
    invitation = rows.select_related("group", "invited_by").get()
    if not _may_still_invite(invitation):
        raise NotFound
    return invitation


def _may_still_invite(invitation: Invitation) -> bool:
    inviter = invitation.invited_by
    return inviter is not None and can_invite(inviter, invitation.group)


def _let_in(invitation: Invitation, user: User) -> Membership | None:
    """Give what an accepted invitation gives, and record it."""
    delete_waiting(Q(invitation=invitation))
    fill_in(user=user, name=invitation.name, school_id=invitation.school_id)
    record_invitation(
        AuditCode.INVITATION_ACCEPTED, invitation, by=user, after=describe_invitation(invitation)
    )
    if invitation.group is None:
        if invitation.role == Role.INSTRUCTOR and not user.may_make_classes:
            user.may_make_classes = True
            user.save(update_fields=["may_make_classes"])
            rights = {"may_make_classes": True}
            record(
                AuditCode.RIGHTS_CHANGED,
                about=user,
                before={"may_make_classes": False},
                after=rights,
            )
        return None
    return _join(invitation.group, user, Role(invitation.role))


def _join(group: Group, user: User, role: Role) -> Membership:
    """Make a person a member. Nobody loses a role by being invited to a lesser one."""
    membership, is_new = Membership.objects.get_or_create(
        group=group, user=user, defaults={"role": role}
    )
    before, ranks = "" if is_new else membership.role, list(Role)
    if not is_new and ranks.index(Role(membership.role)) < ranks.index(role):
        membership.role = role
        membership.save(update_fields=["role"])
    if membership.role != before:
        record_membership(membership, before=before, after=membership.role)
    return membership
