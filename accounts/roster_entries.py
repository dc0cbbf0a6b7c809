"""People on the list of a class who have not joined: they say yes or no, and nobody for them.

An entry counts as long as whoever wrote it teaches the class: it is looked at again when a person
joins, as for invitations by mail.
"""

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.access import groups_taught, memberships_in_force
from accounts.account_audit import record_membership, record_school_id
from accounts.models import Group, Membership, Role, RosterEntry, User
from quizzes.lib.errors import NotFound


def list_invitations(user: User) -> QuerySet[RosterEntry]:
    """Return the classes that invite this person: to an address that they have confirmed."""
    if not user.is_confirmed:
        return RosterEntry.objects.none()
    instructors = memberships_in_force().filter(
        group=OuterRef("group"), user=OuterRef("invited_by"), role=Role.INSTRUCTOR
    )
    entries = RosterEntry.objects.filter(
        Q(Exists(instructors)) | Q(invited_by__is_superuser=True),
        email=user.email,
        group__archived_at=None,
        invited_by__is_active=True,
    )
    return entries.select_related("group", "invited_by").order_by("invited_at", "pk")


@transaction.atomic
def accept_invitation(*, entry: UUID, user: User) -> Membership:
    """Let a person into a class that invites them. Not their address, or taken back: NotFound."""
    invitation = list_invitations(user).filter(uuid=entry).first()
    if invitation is None:
        raise NotFound
    group = Group.objects.select_for_update().get(pk=invitation.group_id)
    if group.archived_at is not None or not _may_still_invite(invitation):
        raise NotFound
    return admit(group=group, user=user)


@transaction.atomic
def decline_invitation(*, entry: UUID, user: User) -> None:
    """Take a person off the list of a class. Not their address: NotFound."""
    invitation = list_invitations(user).filter(uuid=entry).first()
    if invitation is None:
        raise NotFound
    invitation.delete()


def admit(*, group: Group, user: User) -> Membership:
    """Make a person a member of a class whose row is locked, as its list says, else as a learner.

    The list fills in a name and a school id that they do not have; it replaces none.
    """
    entry = take_entry(group=group, user=user)
    role = Role(entry.role) if entry else Role.LEARNER
    membership, is_new = Membership.objects.get_or_create(
        group=group, user=user, defaults={"role": role}
    )
    if is_new:
        record_membership(membership, after=membership.role)
    return membership


def take_entry(*, group: Group, user: User) -> RosterEntry | None:
    """Take a person off the list of a class that they join, with the name and school id it gives.

    Return what stood there; None for nothing, or if whoever wrote it no longer teaches the class.
    """
    entries = RosterEntry.objects.filter(group=group, email=user.email)
    entry = entries.select_related("group", "invited_by").first()
    if entry is None:
        return None
    entry.delete()
    if not _may_still_invite(entry):
        return None
    fill_in(user=user, name=entry.name, school_id=entry.school_id)
    return entry


def _may_still_invite(entry: RosterEntry) -> bool:
    inviter = entry.invited_by
    return inviter is not None and groups_taught(inviter).filter(pk=entry.group_id).exists()


def fill_in(*, user: User, name: str, school_id: str) -> None:
    """Give a person the name and the school id of a list where they have none.

    A school id that somebody else has is left out.
    """
    fields = []
    if name and not user.name:
        user.name = name
        fields.append("name")
    if school_id and not user.school_id and not is_school_id_taken(school_id):
        user.school_id = school_id
        fields.append("school_id")
        record_school_id(user, before="", after=school_id)
    if fields:
        user.save(update_fields=fields)


def is_school_id_taken(school_id: str) -> bool:
    """Return whether some person has this school id."""
    return User.objects.filter(school_id=school_id).exists()
