"""Reopening an attempt over REST."""

import pytest

from quizzes.attempts.models import Attempt, State
from quizzes.lib import clock
from tests.attempt_helpers import take_quiz
from tests.factories import create_quiz
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(users, questions) -> Attempt:
    quiz = create_quiz(users, questions, time_limit=60)
    return take_quiz(quiz, users.learner, {0: "a"}, clock.now())


def reopen(person, attempt: Attempt, **body):
    return program(person).post(f"attempts/{attempt.uuid}/reopen", body)


def test_it_goes_on_for_its_learner_and_is_reopened_once(users, ended):
    answer = reopen(users.instructor, ended, minutes=10, reason="A power cut")
    assert answer.status_code == 201
    payload = answer.json()
    assert (payload["number"], payload["reopened_from"]) == (2, str(ended.uuid))
    own = program(users.learner).get(f"attempts/{payload['id']}").json()
    assert (own["state"], own["answered_count"]) == ("open", 1)
    again = reopen(users.instructor, ended, minutes=10, reason="Again")
    assert (again.status_code, again.json()["code"]) == (409, "void")


@pytest.mark.parametrize("body", [{"minutes": 0, "reason": "x"}, {"reason": "x"}, {"minutes": 9}])
def test_what_cannot_be_is_refused(users, ended, body):
    assert reopen(users.instructor, ended, **body).status_code == 422
    assert Attempt.objects.get().state == State.GRADED
