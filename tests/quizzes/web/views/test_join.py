"""Joining a class by link, code and invitation, as a learner sees it."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.join_codes import MAX_WRONG_CODES, create_join_code, format_code
from accounts.models import Invitation, Membership, Role
from quizzes.lib import clock
from tests.invitations import create_invitation
from tests.users import PASSWORD, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(users) -> str:
    code = create_join_code(group=users.group, by=users.instructor, now=clock.now()).code
    return reverse("join_class", args=[format_code(code)])


def test_the_page_names_class_and_instructor_and_has_one_button(users, link):
    client = logged_in_client(users.stranger)
    html = client.get(link).content.decode()
    assert "Class A" in html
    assert "The class of Instructor." in html
    assert not Membership.objects.filter(user=users.stranger).exists()
    html = client.post(link, follow=True).content.decode()
    assert "You are in the class Class A now." in html
    assert Membership.objects.get(user=users.stranger).role == Role.LEARNER
    assert "You are in this class already." in client.get(link).content.decode()


def test_whoever_signs_in_first_comes_back(users, link):
    client = Client()
    response = client.get(link)
    assert response["Location"] == f"{reverse('account_login')}?next={link}"
    sent = {"login": users.stranger.email, "password": PASSWORD}
    client.post(reverse("account_login"), sent)
    assert client.get("/")["Location"] == link
    client.get(link)
    assert client.get("/").status_code == 200


def test_a_link_that_is_no_code_is_not_kept():
    client = Client()
    client.get("/join/nonsense/")
    assert not client.session.keys()


def test_a_code_is_typed(users, link):
    client = logged_in_client(users.stranger)
    code = link.split("/")[-2]
    page = reverse("join")
    assert client.post(page, {"code": f" {code.lower()} "})["Location"] == link
    response = client.post(page, {"code": "ABC"})
    assert response.status_code == 422
    assert "This is no code of a class" in response.content.decode()


def test_who_has_not_confirmed_is_told_so(users, link):
    users.stranger.confirmed_email = ""
    users.stranger.save()
    client = logged_in_client(users.stranger)
    assert "Confirm your e-mail address first" in client.get(link).content.decode()
    assert client.post(link)["Location"] == link
    assert not Membership.objects.filter(user=users.stranger).exists()


def test_codes_are_not_tried_for_ever(users, link):
    client = logged_in_client(users.stranger)
    for _ in range(MAX_WRONG_CODES):
        assert client.get("/join/22222-22222/").status_code == 404
    assert client.get("/join/22222-22222/").status_code == 429
    assert client.get(link).status_code == 429


def test_an_invitation_is_accepted_or_declined_at_home(users):
    create_invitation(users.group, users.stranger.email, by=users.instructor)
    create_invitation(users.other_group, users.stranger.email, by=users.outsider)
    client = logged_in_client(users.stranger)
    assert "Instructor invites you" in client.get("/").content.decode()
    first, second = Invitation.objects.order_by("pk")
    accept = reverse("answer_invitation", args=[first.uuid])
    assert logged_in_client(users.learner).post(accept, {"answer": "accept"}).status_code == 404
    client.post(accept, {"answer": "accept"})
    decline = reverse("answer_invitation", args=[second.uuid])
    assert client.post(decline, {"answer": "decline"}).status_code == 302
    assert Membership.objects.get(user=users.stranger).group == users.group
    assert "invites you" not in client.get("/").content.decode()
