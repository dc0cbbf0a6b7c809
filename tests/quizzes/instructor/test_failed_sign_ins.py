"""Who is locked out, and unlocking them: for those who oversee them."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.login_throttle import MAX_ATTEMPTS, account_key, consume_attempt
from accounts.models import FailedLogins, Membership, Role, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db

PAGE = "/admin/accounts/failedlogins/"


def lock(user: User) -> FailedLogins:
    key = account_key(user.email)
    for _ in range(MAX_ATTEMPTS):
        consume_attempt(key=key, now=timezone.now(), user=user)
    return FailedLogins.objects.get(key=key)


def unlock(client: Client, row: FailedLogins) -> str:
    sent = {"action": "unlock", "_selected_action": [row.pk]}
    return client.post(PAGE, sent, follow=True).content.decode()


@pytest.fixture
def locked(users: Users) -> FailedLogins:
    return lock(users.learner)


def test_an_instructor_unlocks_a_learner_in_an_exam(users: Users, locked):
    client = logged_in_client(users.instructor)
    page = client.get(PAGE).content.decode()
    assert str(users.learner) in page
    assert "1 person can sign in again." in unlock(client, locked)
    learner = Client()
    learner.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    assert "_auth_user_id" in learner.session
    event = AuditEvent.objects.get(code=AuditCode.SIGN_IN_UNLOCKED)
    assert (event.actor, event.subject) == (users.instructor.uuid, users.learner.uuid)


def test_so_does_an_assistant_who_invigilates(users: Users, locked):
    Membership.objects.create(user=users.stranger, group=users.group, role=Role.ASSISTANT)
    client = logged_in_client(users.stranger)
    assert str(users.learner) in client.get(PAGE).content.decode()
    assert "1 person can sign in again." in unlock(client, locked)
    assert not FailedLogins.objects.filter(pk=locked.pk).exists()
    row = lock(users.instructor)
    unlock(client, row)
    assert FailedLogins.objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("role", ["outsider", "learner", "stranger"])
def test_nobody_else_sees_or_unlocks_them(users: Users, locked, role):
    client = logged_in_client(getattr(users, role))
    page = client.get(PAGE, follow=True)
    assert page.status_code == 404 or "_selected_action" not in page.content.decode()
    unlock(client, locked)
    assert FailedLogins.objects.filter(pk=locked.pk).exists()
    assert not AuditEvent.objects.filter(code=AuditCode.SIGN_IN_UNLOCKED).exists()


def test_an_instructor_does_not_unlock_an_administrator(users: Users):
    row = lock(users.administrator)
    unlock(logged_in_client(users.instructor), row)
    assert FailedLogins.objects.filter(pk=row.pk).exists()
    assert "can sign in again" in unlock(logged_in_client(users.administrator), row)


def test_a_count_has_no_page_of_its_own(users: Users, locked):
    for person in (users.instructor, users.administrator):
        page = logged_in_client(person).get(f"{PAGE}{locked.pk}/change/")
        assert page.status_code == 404


def test_counts_of_no_account_are_not_listed(users: Users):
    consume_attempt(key=account_key("nobody@example.org"), now=timezone.now())
    page = logged_in_client(users.administrator).get(PAGE).content.decode()
    assert "_selected_action" not in page


def test_the_list_costs_the_same_however_many_are_locked(users: Users, counted):
    client = logged_in_client(users.administrator)
    client.get(PAGE)
    counts = []
    for person in (users.learner, users.other_learner, users.outsider):
        lock(person)
        with counted() as queries:
            client.get(PAGE)
        counts.append(len(queries))
    assert len(set(counts)) == 1
