"""The page that lets a learner go on, and what the learner reads of it."""

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt, State
from quizzes.lib import clock
from tests.attempt_helpers import start, take_quiz
from tests.factories import create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, slug="timed", time_limit=60)


@pytest.fixture
def ended(users, quiz) -> Attempt:
    return take_quiz(quiz, users.learner, {0: "a"}, clock.now())


def url_of(attempt: Attempt) -> str:
    return f"/admin/attempts/attempt/{attempt.pk}/reopen/"


def ask(person, attempt: Attempt, **fields) -> str:
    client = logged_in_client(person)
    if fields:
        response = client.post(url_of(attempt), fields, follow=True)
    else:
        response = client.get(url_of(attempt))
    return f"{response.status_code} {response.content.decode()}"


def test_the_room_leads_to_it_and_it_leads_back(users, quiz, ended):
    room = logged_in_client(users.instructor).get(f"/admin/attempts/attempt/progress/{quiz.uuid}/")
    assert url_of(ended) in room.content.decode()
    assert "goes on in a new attempt" in ask(users.instructor, ended)
    assert "This field is required" in ask(users.instructor, ended, minutes="10", reason="")
    page = ask(users.instructor, ended, minutes="10", reason="A power cut")
    assert "The attempt goes on as attempt 2." in page
    assert "In progress" in page
    assert Attempt.objects.filter(state=State.OPEN).get().reopened_from == ended


def test_the_learner_reads_it_on_the_page_of_either_attempt(users, ended):
    ask(users.instructor, ended, minutes="10", reason="A power cut")
    reopened, client = Attempt.objects.get(state=State.OPEN), logged_in_client(users.learner)
    before = client.get(f"/attempts/{ended.uuid}/result").content.decode()
    assert "Reopened" in before
    assert f"/attempts/{reopened.uuid}" in before
    page = client.get(f"/attempts/{reopened.uuid}/").content.decode()
    assert "Your instructor has reopened this attempt" in page
    assert "A power cut" not in page + before


def test_it_says_why_an_attempt_cannot_go_on(users, quiz, ended):
    ask(users.instructor, ended, minutes="10", reason="A power cut")
    reopened = Attempt.objects.get(state=State.OPEN)
    again = ask(users.instructor, ended, minutes="10", reason="Again")
    assert again.startswith("409")
    assert "void already" in again
    assert "still open" in ask(users.instructor, reopened)
    assert Attempt.objects.count() == 2


def test_it_says_that_another_attempt_is_open(users, questions):
    quiz = create_quiz(users, questions, slug="endless")
    ended = take_quiz(quiz, users.learner, now=clock.now())
    start(quiz, users.learner, clock.now())
    page = ask(users.instructor, ended, reason="A power cut")
    assert "another attempt at this quiz open" in page
    assert "Without minutes it has no deadline" in ask(users.instructor, ended)


@pytest.mark.parametrize("role", ["learner", "stranger", "outsider"])
def test_others_find_no_such_page(users, ended, role):
    ask(getattr(users, role), ended, minutes="10", reason="spite")
    assert Attempt.objects.count() == 1


def test_an_assistant_finds_no_such_page(users, ended):
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    assert ask(users.outsider, ended, minutes="10", reason="kindness").startswith("404")
    report = logged_in_client(users.outsider).get(f"/admin/attempts/attempt/{ended.pk}/change/")
    assert "Reopen" not in report.content.decode()
