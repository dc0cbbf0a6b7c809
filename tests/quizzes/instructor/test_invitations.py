"""The list of invitations: who sees which, makes them, sends them again and withdraws them."""

from typing import Any

import pytest
from django.test import Client

from accounts import invitations
from accounts.models import Invitation, Role
from quizzes.lib import clock
from tests.users import Users, authenticate_at, logged_in_client

pytestmark = pytest.mark.django_db

PAGE = "/admin/accounts/invitation/"


def make(client: Client, users: Users, **sent: Any):
    form = {"email": "new@example.org", "language": "es", "group": users.group.pk} | sent
    return client.post(f"{PAGE}add/", form)


def run_action(client: Client, action: str, invitation: Invitation) -> str:
    sent = {"action": action, "_selected_action": [invitation.pk]}
    return client.post(PAGE, sent, follow=True).content.decode()


@pytest.fixture
def invitation(users: Users) -> Invitation:
    return invitations.invite(
        by=users.instructor, email="guest@example.org", group=users.group, now=clock.now()
    )


def test_an_instructor_invites_a_learner_and_sees_it_waiting(users: Users):
    client = logged_in_client(users.instructor)
    assert make(client, users).status_code == 302
    row = Invitation.objects.get()
    assert (row.email, row.group, row.role) == ("new@example.org", users.group, Role.LEARNER)
    assert (row.invited_by, row.language) == (users.instructor, "es")
    page = client.get(PAGE).content.decode()
    assert "new@example.org" in page
    assert "waiting" in page


def test_an_instructor_is_offered_only_their_classes(users: Users):
    client = logged_in_client(users.instructor)
    page = client.get(f"{PAGE}add/").content.decode()
    assert str(users.group) in page
    assert str(users.other_group) not in page
    make(client, users, group=users.other_group.pk)
    make(client, users, group="")
    make(client, users, role="administrator")
    assert not Invitation.objects.exists()


def test_only_an_administrator_invites_without_a_class(users: Users):
    client = logged_in_client(users.administrator)
    assert make(client, users, group="", role=Role.ASSISTANT).status_code == 200
    assert make(client, users, group="").status_code == 302
    assert Invitation.objects.get().group is None


def test_it_is_sent_again_and_withdrawn(users: Users, invitation):
    client = logged_in_client(users.instructor)
    assert "1 invitation sent." in run_action(client, "send_again", invitation)
    assert "1 invitation withdrawn." in run_action(client, "withdraw", invitation)
    assert "0 invitations sent." in run_action(client, "send_again", invitation)
    assert "withdrawn" in client.get(PAGE).content.decode()


def test_one_that_was_sent_often_is_not_sent_again(users: Users, invitation):
    Invitation.objects.update(mails=invitations.MAX_MAILS)
    client = logged_in_client(users.instructor)
    assert "sent often enough" in run_action(client, "send_again", invitation)
    assert make(client, users, email=invitation.email).url == PAGE


@pytest.mark.parametrize("role", ["outsider", "learner", "stranger"])
def test_others_neither_see_nor_change_them(users: Users, invitation, role):
    client = logged_in_client(getattr(users, role))
    page = client.get(PAGE, follow=True)
    assert invitation.email not in page.content.decode()
    run_action(client, "withdraw", invitation)
    invitation.refresh_from_db()
    assert invitation.withdrawn_at is None
    assert client.get(f"{PAGE}{invitation.pk}/change/").status_code in {302, 404}


def test_inviting_asks_again_who_it_is(users: Users):
    client = logged_in_client(users.instructor)
    authenticate_at(client, users.instructor, 0)
    assert "/accounts/reauthenticate/" in make(client, users).url
    assert not Invitation.objects.exists()
