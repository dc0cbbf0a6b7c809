"""Roles and classes bind to confirmed addresses, whoever signs up with them first."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client

from accounts import access
from accounts.models import Membership, Role, User
from quizzes.attempts import services as attempts
from quizzes.attempts.access import find_takeable, supervised_by, takeable_by
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to as visible_banks
from quizzes.attempts.models import Attempt
from quizzes.bank.models import Bank
from quizzes.publishing.models import Quiz
from quizzes.results.services import finish
from tests.factories import NOW
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db

ADDRESS = "teacher@school.example"


def sign_up(address: str = ADDRESS) -> Client:
    """A browser that has made an account with this address, without confirming it."""
    browser = Client()
    sent = {"email": address, "password1": PASSWORD, "name": "Stranger"}
    browser.post("/accounts/signup/", sent)
    return browser


@pytest.fixture
def impostor(users: Users) -> Client:
    """Somebody who registered an instructor's address before the administrator gave it a role."""
    browser = sign_up()
    user = User.objects.get(email=ADDRESS)
    Membership.objects.create(user=user, group=users.group, role=Role.INSTRUCTOR)
    return browser


def test_after_signing_up_home_says_what_to_confirm_and_no_more(users: Users):
    page = sign_up().get("/").content.decode()
    assert "Confirmation email sent" in page
    assert "Classes, and the quizzes of a class, need it." in page
    assert "signed in as" not in page


def test_a_stranger_with_an_instructors_address_opens_no_admin_page(impostor, a_quiz):
    question = a_quiz.sections.get().slots.first().question
    for page in ("/admin/", f"/admin/bank/question/{question.pk}/change/"):
        assert impostor.get(page).status_code == 404


def test_a_token_made_before_confirmation_teaches_nothing(impostor):
    user = User.objects.get(email=ADDRESS)
    body = impostor.get("/api/v1/me").json()
    assert (body["groups"], body["administrator"]) == ([], False)
    assert body["address_confirmed"] is False
    assert not access.is_instructor(user)


def test_the_role_takes_effect_when_the_address_is_confirmed(impostor):
    user = User.objects.get(email=ADDRESS)
    user.confirmed_email = user.email
    user.save()
    assert impostor.get("/admin/").status_code == 200
    assert access.is_instructor(User.objects.get(pk=user.pk))


def test_a_changed_address_ends_the_confirmation(users):
    users.instructor.email = "other@example.org"
    users.instructor.save()
    assert not access.is_instructor(users.instructor)
    assert not access.groups_taught(users.instructor)


def test_an_administrator_whose_address_is_not_confirmed_runs_nothing(users):
    users.administrator.confirmed_email = ""
    users.administrator.save()
    assert not access.is_administrator(users.administrator)
    assert not access.is_instructor(users.administrator)
    assert not users.administrator.is_staff
    assert logged_in_client(users.administrator).get("/admin/").status_code == 404


def _pks(rows: QuerySet[Any]) -> set[int]:
    return set(rows.values_list("pk", flat=True))


@pytest.mark.parametrize("name", ["learner", "instructor", "administrator"])
def test_filters_and_predicates_agree_on_who_is_not_confirmed(users, a_quiz, name):
    user: User = getattr(users, name)
    assert find_takeable(user, a_quiz.uuid)
    user.confirmed_email = ""
    user.save()
    user = User.objects.get(pk=user.pk)
    assert not access.is_instructor(user)
    assert _pks(access.groups_taught(user)) == set()
    assert _pks(access.groups_joined(user)) == set()
    assert _pks(visible_banks(user)) == set()
    assert _pks(takeable_by(user)) == set()
    assert find_takeable(user, a_quiz.uuid) is None
    assert _pks(Attempt.objects.filter(supervised_by(user))) == set()
    assert Bank.objects.exists()


def test_a_learner_who_is_not_confirmed_is_not_seen_through_the_class(users, a_quiz):
    Quiz.objects.update(group=None)
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    overseen = Attempt.objects.filter(supervised_by(users.instructor))
    assert _pks(overseen) == {attempt.pk}
    User.objects.filter(pk=users.learner.pk).update(confirmed_email="")
    assert _pks(overseen.all()) == set()


def test_whom_the_operator_makes_is_confirmed():
    user = User.objects.create_superuser("boss@example.org", PASSWORD)
    assert user.is_confirmed
    assert access.is_administrator(user)


def test_the_people_of_the_demonstration_are_confirmed(capsys):
    call_command("load_demo")
    assert User.objects.count() == 4
    assert all(user.is_confirmed for user in User.objects.all())


def test_programs_are_told_whether_a_learners_address_is_confirmed(users, a_quiz):
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    finish(attempt=attempt.uuid, learner=users.learner, now=NOW)
    client = logged_in_client(users.administrator)
    for address, confirmed in ((users.learner.email, True), ("", False)):
        User.objects.filter(pk=users.learner.pk).update(confirmed_email=address)
        listed = client.get("/api/v1/results").json()["items"]
        assert [item["learner"]["address_confirmed"] for item in listed] == [confirmed]
