"""The first class of an instructor: made by whom an administrator lets, and by nobody else."""

import pytest

from accounts.access import can_make_class, groups_taught, is_instructor, is_overseer
from accounts.classes import create_class
from accounts.invitation_acceptance import accept_with_new_account
from accounts.invitation_links import build_token
from accounts.invitations import invite
from accounts.models import Group, Membership, Role, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from tests.browser_forms import form_values
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db

ADD = "/admin/accounts/group/add/"


@pytest.fixture
def newcomer(users: Users) -> User:
    """Somebody without a class who may make their first."""
    users.stranger.may_make_classes = True
    users.stranger.save()
    return users.stranger


def test_it_is_made_from_the_first_page_of_teaching(newcomer: User):
    client = logged_in_client(newcomer)
    assert "Teaching" in client.get("/").content.decode()
    html = client.get("/admin/").content.decode()
    assert "Make your first class" in html
    assert ADD in html
    response = client.post(ADD, form_values(client.get(ADD), "name") | {"name": "Biology"})
    group = Group.objects.get(name="Biology")
    assert response["Location"] == f"/admin/accounts/group/{group.pk}/people/"
    assert list(groups_taught(newcomer)) == [group]
    assert "Make your first class" not in client.get("/admin/").content.decode()


def test_an_assistant_who_may_make_classes_sees_both(users: Users, newcomer: User):
    Membership.objects.create(group=users.group, user=newcomer, role=Role.ASSISTANT)
    html = logged_in_client(newcomer).get("/admin/").content.decode()
    assert "Make your first class" in html
    for part in ("home-running", "home-grading", "home-classes", "All lists"):
        assert part in html


def test_until_then_only_classes_are_there(users: Users, newcomer: User):
    assert (can_make_class(newcomer), is_instructor(newcomer), is_overseer(newcomer)) == (
        True,
        False,
        False,
    )
    client = logged_in_client(newcomer)
    assert client.get("/admin/accounts/group/").status_code == 200
    for page in ("bank/bank", "publishing/quiz", "attempts/attempt", "accounts/invitation"):
        assert client.get(f"/admin/{page}/").status_code == 404
        assert page not in client.get("/admin/").content.decode()
    assert client.get(f"/admin/accounts/group/{users.group.pk}/class/").status_code == 404


@pytest.mark.parametrize("name", ["learner", "stranger"])
def test_everybody_else_makes_none(users: Users, name: str):
    person = getattr(users, name)
    assert not can_make_class(person)
    client = logged_in_client(person)
    assert client.get("/admin/").status_code == 404
    assert client.post(ADD, {"name": "Biology"}).status_code == 404
    with pytest.raises(NotFound):
        create_class(name="Biology", by=person)


@pytest.mark.parametrize("state", [{"confirmed_email": ""}, {"is_active": False}])
def test_nor_does_who_is_not_confirmed_or_not_active(newcomer: User, state: dict[str, object]):
    for name, setting in state.items():
        setattr(newcomer, name, setting)
    assert not can_make_class(newcomer)


def test_where_staff_need_a_second_factor_they_are_led_to_it(newcomer: User, settings):
    settings.STAFF_SECOND_FACTOR = True
    assert not can_make_class(newcomer)
    response = logged_in_client(newcomer).get("/admin/")
    assert (response.status_code, response["Location"]) == (302, "/accounts/2fa/")


def test_an_administrator_says_so_and_it_is_recorded(users: Users):
    client = logged_in_client(users.administrator)
    page = f"/admin/accounts/user/{users.stranger.pk}/change/"
    client.post(page, form_values(client.get(page), "email") | {"may_make_classes": "on"})
    users.stranger.refresh_from_db()
    assert users.stranger.may_make_classes
    event = AuditEvent.objects.get(code=AuditCode.RIGHTS_CHANGED)
    assert (event.before, event.after) == (
        {"may_make_classes": False},
        {"may_make_classes": True},
    )


def test_so_does_an_invitation_to_the_site_as_an_instructor(users: Users):
    now = clock.now()
    with pytest.raises(NotFound):
        invite(by=users.instructor, email="new@example.org", now=now, role=Role.INSTRUCTOR)
    invitation = invite(
        by=users.administrator, email="new@example.org", now=now, role=Role.INSTRUCTOR
    )
    token = build_token(invitation)
    page = logged_in_client(users.learner).get(f"/accounts/invitation/{token}/")
    assert "for another address" in page.content.decode()
    person = accept_with_new_account(token=token, name="New", password=PASSWORD, now=now)
    assert can_make_class(User.objects.get(pk=person.pk))
    assert AuditEvent.objects.filter(code=AuditCode.RIGHTS_CHANGED).count() == 1
    assert create_class(name="Biology", by=person).people.get() == person


def test_who_loses_the_address_loses_it_too(users: Users, newcomer: User):
    User.objects.filter(pk=newcomer.pk).update(confirmed_email="")
    invitation = invite(by=users.administrator, email=newcomer.email, now=clock.now())
    owner = accept_with_new_account(
        token=build_token(invitation), name="Owner", password=PASSWORD, now=clock.now()
    )
    newcomer.refresh_from_db()
    assert not newcomer.may_make_classes
    assert not can_make_class(owner)
