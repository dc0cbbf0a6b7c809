"""Teaching assistants: they see results and mark, and change no key, quiz or class (ADR 32)."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.access import groups_overseen, groups_taught, is_instructor, is_overseer
from accounts.models import Membership, Role, User
from quizzes.attempts.access import supervised_by
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to, can_see_answers
from quizzes.attempts.models import Attempt, State
from quizzes.bank.access import editable_by
from quizzes.lib.errors import NotFound
from quizzes.publishing.access import visible_to as quizzes_visible_to
from quizzes.results import services as results
from tests.factories import NOW
from tests.quizzes.api.programs import taken
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

CLOSED = (
    "/admin/bank/bank/",
    "/admin/bank/question/",
    "/admin/publishing/quiz/",
    "/admin/imports/importjob/",
    "/admin/attempts/assignment/",
    "/admin/attempts/accommodation/",
    "/admin/accounts/group/",
    "/admin/accounts/user/",
    "/admin/audit/auditevent/",
)


@pytest.fixture
def assistant(users) -> User:
    person = create_user("assistant")
    Membership.objects.create(group=users.group, user=person, role=Role.ASSISTANT)
    return person


@pytest.fixture
def attempt(users, a_quiz, questions) -> Attempt:
    return Attempt.objects.get(uuid=taken(users.learner, a_quiz, questions, "ab")["id"])


def test_an_assistant_oversees_a_class_and_teaches_none(users, assistant):
    assert list(groups_overseen(assistant)) == [users.group]
    assert list(groups_overseen(users.instructor)) == [users.group]
    assert not groups_taught(assistant).exists()
    assert (is_overseer(assistant), is_instructor(assistant)) == (True, False)


@pytest.mark.parametrize("role", ["learner", "stranger"])
def test_learners_and_strangers_oversee_nobody(users, role):
    person = getattr(users, role)
    assert not is_overseer(person)
    assert not groups_overseen(person).exists()


def test_an_assistant_whose_address_is_not_confirmed_oversees_nobody(assistant):
    assistant.confirmed_email = ""
    assistant.save()
    assert not is_overseer(assistant)
    assert not groups_overseen(assistant).exists()


def test_an_assistant_sees_results_of_the_class_alone(users, assistant, attempt):
    assert list(Attempt.objects.filter(supervised_by(assistant))) == [attempt]
    Membership.objects.filter(user=assistant).update(group=users.other_group)
    assert not Attempt.objects.filter(supervised_by(assistant)).exists()


def test_an_assistant_sees_no_bank_and_no_quiz_to_edit(assistant, a_quiz):
    assert not banks_whose_keys_are_visible_to(assistant).exists()
    assert not editable_by(assistant).exists()
    assert not quizzes_visible_to(assistant).exists()


def test_attempts_of_an_assistant_are_those_of_staff(users, assistant, a_quiz):
    assert can_see_answers(assistant, a_quiz, a_quiz.current_id, has_opened_keys=False)
    assert not can_see_answers(users.learner, a_quiz, a_quiz.current_id, has_opened_keys=False)


def test_an_assistant_reads_reports_and_the_queue(assistant, attempt):
    client = logged_in_client(assistant)
    assert client.get("/admin/").status_code == 200
    assert "Learner" in client.get("/admin/attempts/attempt/").content.decode()
    report = client.get(f"/admin/attempts/attempt/{attempt.pk}/change/").content.decode()
    assert "Void the attempt" not in report
    assert client.get("/admin/results/manualgrade/").status_code == 200


@pytest.mark.parametrize("page", CLOSED)
def test_what_is_for_instructors_is_not_there_for_assistants(users, assistant, a_quiz, page):
    client = logged_in_client(assistant)
    assert client.get(page).status_code == 404
    assert client.get(f"{page}add/").status_code == 404
    first_page = client.get("/admin/").content.decode()
    # Of a class, its gradebook alone.
    gradebook = reverse("admin:accounts_group_gradebook", args=[users.group.pk])
    assert gradebook in first_page
    assert page not in first_page.replace(gradebook, "")


def test_an_assistant_voids_no_attempt(users, assistant, attempt):
    page = f"/admin/attempts/attempt/{attempt.pk}/void/"
    assert logged_in_client(assistant).get(page).status_code == 404
    with pytest.raises(NotFound):
        results.void(attempt=attempt.uuid, by=assistant, reason="a try", now=NOW)
    assert logged_in_client(users.instructor).get(page).status_code == 200
    attempt.refresh_from_db()
    assert attempt.state == State.GRADED


def test_the_admin_is_linked_for_assistants_and_not_for_learners(users, assistant):
    link = 'href="/admin/"'
    assert link in logged_in_client(assistant).get("/").content.decode()
    assert link not in logged_in_client(users.learner).get("/").content.decode()
    assert Client().get("/admin/").status_code == 302
