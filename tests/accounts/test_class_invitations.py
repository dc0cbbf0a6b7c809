"""A class invites by its list and by mail: what ends the one ends the other."""

from datetime import datetime
from typing import Any

import pytest

from accounts import invitations
from accounts.classes import archive_class, remove_people, restore_class
from accounts.invitation_links import build_token
from accounts.join_codes import create_join_code, join_class
from accounts.models import Invitation, Membership, Role, RosterEntry, SecurityNotice
from accounts.roster_entries import accept_invitation, list_invitations
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from tests.users import Users

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return clock.now()


def write_entry(users: Users, **fields: Any) -> RosterEntry:
    """Write the stranger on the list of the class."""
    return RosterEntry.objects.create(
        group=users.group,
        email=users.stranger.email,
        invited_by=users.instructor,
        invited_at=clock.now(),
        **fields,
    )


def invite(users: Users, now: datetime) -> Invitation:
    return invitations.invite(
        by=users.instructor, email=users.stranger.email, now=now, group=users.group
    )


def is_member(users: Users) -> bool:
    return Membership.objects.filter(group=users.group, user=users.stranger).exists()


def test_the_list_of_who_no_longer_teaches_lets_nobody_in(users: Users) -> None:
    entry = write_entry(users, role=Role.INSTRUCTOR)
    assert list_invitations(users.stranger).get() == entry
    Membership.objects.filter(user=users.instructor).update(role=Role.LEARNER)
    assert not list_invitations(users.stranger).exists()
    with pytest.raises(NotFound):
        accept_invitation(entry=entry.uuid, user=users.stranger)
    assert not is_member(users)


def test_nor_does_it_give_its_role_to_who_has_the_code(users: Users, now: datetime) -> None:
    write_entry(users, role=Role.INSTRUCTOR, school_id="0042")
    code = create_join_code(group=users.group, by=users.administrator, now=now).code
    Membership.objects.filter(user=users.instructor).delete()
    assert join_class(text=code, user=users.stranger, now=now).role == Role.LEARNER
    users.stranger.refresh_from_db()
    assert users.stranger.school_id == ""
    assert not RosterEntry.objects.exists()


def test_who_was_taken_out_does_not_come_back_by_an_older_mail(users: Users, now: datetime) -> None:
    entry, invitation = write_entry(users), invite(users, now)
    accept_invitation(entry=entry.uuid, user=users.stranger)
    people = [users.stranger.uuid]
    remove_people(group=users.group, people=people, by=users.instructor, now=now)
    with pytest.raises(NotFound):
        invitations.accept_as(user=users.stranger, token=build_token(invitation), now=now)
    assert not is_member(users)
    assert not SecurityNotice.objects.filter(invitation=invitation).exists()


def test_an_entry_taken_back_takes_the_mail_back(users: Users, now: datetime) -> None:
    entry, invitation = write_entry(users), invite(users, now)
    remove_people(group=users.group, people=[entry.uuid], by=users.instructor, now=now)
    invitation.refresh_from_db()
    assert invitation.withdrawn_at == now


def test_an_invitation_withdrawn_is_withdrawn_on_the_list(users: Users, now: datetime) -> None:
    write_entry(users)
    invitations.withdraw(by=users.instructor, invitation=invite(users, now), now=now)
    assert not list_invitations(users.stranger).exists()


def test_who_accepts_by_mail_leaves_the_list_with_the_school_id_of_it(
    users: Users, now: datetime
) -> None:
    write_entry(users, school_id="0042")
    invitations.accept_as(user=users.stranger, token=build_token(invite(users, now)), now=now)
    users.stranger.refresh_from_db()
    assert (is_member(users), users.stranger.school_id) == (True, "0042")
    assert not RosterEntry.objects.exists()


def test_a_class_that_was_in_the_archive_invites_nobody_of_before(
    users: Users, now: datetime
) -> None:
    write_entry(users)
    token = build_token(invite(users, now))
    archive_class(group=users.group, by=users.instructor, now=now)
    restore_class(group=users.group, by=users.instructor)
    assert not SecurityNotice.objects.filter(invitation__group=users.group).exists()
    with pytest.raises(NotFound):
        invitations.accept_as(user=users.stranger, token=token, now=now)


def test_who_does_not_teach_the_class_withdraws_nothing(users: Users, now: datetime) -> None:
    invitation = invite(users, now)
    with pytest.raises(NotFound):
        invitations.withdraw_from_class(group=users.group, by=users.outsider, now=now)
    invitation.refresh_from_db()
    assert invitation.withdrawn_at is None
