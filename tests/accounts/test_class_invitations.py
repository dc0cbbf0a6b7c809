"""A class invites by mail and on the first page, in one row: what ends it ends it everywhere."""

import re
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client

from accounts import invitations, security_notices
from accounts.classes import archive_class, change_roles, remove_people, restore_class
from accounts.invitation_acceptance import (
    accept_as,
    accept_invitation,
    accept_with_new_account,
    decline_invitation,
    list_invitations,
)
from accounts.invitation_links import build_token
from accounts.join_codes import create_join_code, join_class
from accounts.models import Invitation, Membership, Role, SecurityNotice, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from tests.invitations import create_invitation
from tests.threads import at_once
from tests.users import PASSWORD, Users, create_user, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return clock.now()


def invite(users: Users, role: Role = Role.LEARNER, school_id: str = "") -> Invitation:
    email = users.stranger.email
    return create_invitation(
        users.group, email, by=users.instructor, role=role, school_id=school_id
    )


def is_member(users: Users) -> bool:
    return Membership.objects.filter(group=users.group, user=users.stranger).exists()


def test_the_invitation_of_who_no_longer_teaches_lets_nobody_in(users: Users, now: datetime):
    invitation = invite(users, Role.INSTRUCTOR)
    assert list_invitations(users.stranger, now=now).get() == invitation
    Membership.objects.filter(user=users.instructor).update(role=Role.LEARNER)
    assert not list_invitations(users.stranger, now=now).exists()
    with pytest.raises(NotFound):
        accept_invitation(invitation=invitation.uuid, user=users.stranger, now=now)
    assert not is_member(users)


def test_nor_does_it_give_its_role_to_who_has_the_code(users: Users, now: datetime):
    invitation = invite(users, Role.INSTRUCTOR, "0042")
    code = create_join_code(group=users.group, by=users.administrator, now=now).code
    Membership.objects.filter(user=users.instructor).delete()
    assert join_class(text=code, user=users.stranger, now=now).role == Role.LEARNER
    users.stranger.refresh_from_db()
    invitation.refresh_from_db()
    assert (users.stranger.school_id, invitation.withdrawn_at) == ("", now)


def test_who_comes_late_by_code_has_the_school_id_of_the_list_and_no_other_role(
    users: Users, now: datetime
):
    invitation = invite(users, Role.ASSISTANT, "0042")
    late = now + invitations.VALID_FOR + timedelta(days=1)
    with pytest.raises(NotFound):
        accept_invitation(invitation=invitation.uuid, user=users.stranger, now=late)
    code = create_join_code(group=users.group, by=users.instructor, now=late).code
    assert join_class(text=code, user=users.stranger, now=late).role == Role.LEARNER
    users.stranger.refresh_from_db()
    assert users.stranger.school_id == "0042"


def test_who_was_taken_out_does_not_come_back_by_an_older_mail(users: Users, now: datetime):
    invitation = invite(users)
    accept_invitation(invitation=invitation.uuid, user=users.stranger, now=now)
    people = [users.stranger.uuid]
    remove_people(group=users.group, people=people, by=users.instructor, now=now)
    with pytest.raises(NotFound):
        accept_as(user=users.stranger, token=build_token(invitation), now=now)
    assert not is_member(users)
    assert not SecurityNotice.objects.filter(invitation=invitation).exists()


def test_an_instructor_leaves_a_class_that_has_another(users: Users, now: datetime):
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.INSTRUCTOR)
    people = [users.instructor.uuid]
    assert remove_people(group=users.group, people=people, by=users.instructor, now=now) == 1


def test_who_is_taken_off_the_list_has_no_mail_and_no_link(users: Users, now: datetime):
    invitation = invite(users)
    people = [invitation.uuid]
    assert remove_people(group=users.group, people=people, by=users.instructor, now=now) == 1
    invitation.refresh_from_db()
    assert invitation.withdrawn_at == now
    assert not SecurityNotice.objects.filter(invitation=invitation).exists()


def test_who_declines_is_not_asked_by_the_mail_either(users: Users, now: datetime):
    invitation = invite(users)
    decline_invitation(invitation=invitation.uuid, user=users.stranger, now=now)
    assert not SecurityNotice.objects.filter(invitation=invitation).exists()
    with pytest.raises(NotFound):
        accept_as(user=users.stranger, token=build_token(invitation), now=now)
    assert AuditEvent.objects.filter(code=AuditCode.INVITATION_DECLINED).count() == 1
    assert invite(users).pk != invitation.pk


def test_who_joins_by_code_before_the_mail_is_sent_gets_none(users: Users, now: datetime):
    token = build_token(invite(users))
    code = create_join_code(group=users.group, by=users.instructor, now=now).code
    join_class(text=code, user=users.stranger, now=now)
    assert security_notices.send_due(now=now + timedelta(days=1)) == 0
    response = logged_in_client(users.stranger).get(f"/accounts/invitation/{token}/", follow=True)
    assert response.redirect_chain == [("/", 302)]
    assert "accepted this invitation already" in response.content.decode()
    for browser in (Client(), logged_in_client(users.learner)):
        assert browser.get(f"/accounts/invitation/{token}/").status_code == 404


def test_who_signs_up_in_between_is_asked_on_their_first_page_and_by_the_link(
    users: Users, now: datetime
):
    token = build_token(create_invitation(users.group, "new@example.org", by=users.instructor))
    person = create_user("new")
    with pytest.raises(Refused, match="invitation_account_exists"):
        accept_with_new_account(token=token, name="", password="of nobody 123", now=now)
    assert person.check_password(PASSWORD)
    assert list_invitations(person, now=now).count() == 1
    accept_as(user=person, token=token, now=now)
    assert not list_invitations(person, now=now).exists()
    assert Membership.objects.filter(group=users.group, user=person).count() == 1


def test_who_accepts_by_mail_has_the_school_id_of_the_list(users: Users, now: datetime):
    accept_as(user=users.stranger, token=build_token(invite(users, school_id="0042")), now=now)
    users.stranger.refresh_from_db()
    assert (is_member(users), users.stranger.school_id) == (True, "0042")
    assert not list_invitations(users.stranger, now=now).exists()


def test_a_role_is_changed_before_the_person_joins(users: Users, now: datetime):
    invitation = invite(users)
    people = [invitation.uuid]
    changed = change_roles(
        group=users.group, people=people, role=Role.ASSISTANT, by=users.instructor
    )
    assert changed == 1
    accept_as(user=users.stranger, token=build_token(invitation), now=now)
    assert Membership.objects.get(user=users.stranger).role == Role.ASSISTANT


def test_a_class_that_was_in_the_archive_invites_nobody_of_before(users: Users, now: datetime):
    token = build_token(invite(users))
    archive_class(group=users.group, by=users.instructor, now=now)
    restore_class(group=users.group, by=users.instructor)
    assert not SecurityNotice.objects.filter(invitation__group=users.group).exists()
    assert not list_invitations(users.stranger, now=now).exists()
    with pytest.raises(NotFound):
        accept_as(user=users.stranger, token=token, now=now)


def test_who_does_not_teach_the_class_withdraws_nothing(users: Users, now: datetime):
    invitation = invite(users)
    with pytest.raises(NotFound):
        invitations.withdraw_from_class(group=users.group, by=users.outsider, now=now)
    invitation.refresh_from_db()
    assert invitation.withdrawn_at is None


def test_the_mail_is_in_the_language_of_an_account_that_has_the_address(users: Users):
    User.objects.filter(pk=users.stranger.pk).update(language="es")
    invite(users)
    create_invitation(users.group, "new@example.org", by=users.instructor)
    create_user("impostor", confirmed_email="", language="es")
    create_invitation(users.group, "impostor@example.org", by=users.instructor)
    security_notices.send_due(now=clock.now())
    assert [(sent.to[0], sent.subject.split()[1]) for sent in mail.outbox] == [
        (users.stranger.email, "Invitación"),
        ("new@example.org", "Invitation"),
        ("impostor@example.org", "Invitation"),
    ]
    # Nobody who invites reads it anywhere.
    assert set(Invitation.objects.values_list("language", flat=True)) == {"en"}


def test_the_link_in_the_mail_is_that_of_the_row(users: Users):
    token = build_token(invite(users))
    security_notices.send_due(now=clock.now())
    link = re.search(r"/accounts/invitation/(\w+)/", str(mail.outbox[-1].body))
    assert link
    assert link[1] == token


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_archiving_and_accepting_at_once_leave_nobody_waiting(users: Users, now: datetime):
    token, outcomes = build_token(invite(users)), []

    def accept() -> None:
        try:
            accept_as(user=users.stranger, token=token, now=now)
        except NotFound:
            outcomes.append("not found")
        else:
            outcomes.append("accepted")

    def archive() -> None:
        archive_class(group=users.group, by=users.instructor, now=now)

    at_once([accept, archive, accept, archive])
    assert sorted(outcomes) in (["accepted", "not found"], ["not found", "not found"])
    assert is_member(users) == ("accepted" in outcomes)
