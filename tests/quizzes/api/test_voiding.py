"""Taking an attempt out of the count over REST."""

import pytest

from quizzes.attempts.models import Attempt, State
from tests.attempt_helpers import take_quiz
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(users, a_quiz) -> Attempt:
    return take_quiz(a_quiz, users.learner, {0: "a"})


def void(person, attempt: Attempt, **body):
    return program(person).post(f"attempts/{attempt.uuid}/void", body)


def test_an_attempt_counts_no_more_and_the_first_reason_stays(users, ended):
    answer = void(users.instructor, ended, reason="It was a trial.")
    assert answer.status_code == 200
    assert answer.json().items() >= {"state": "void", "reason": "It was a trial."}.items()
    again = void(users.instructor, ended, reason="Another reason")
    assert again.json()["reason"] == "It was a trial."
    ended.refresh_from_db()
    assert ended.state == State.VOID


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": " "}, {"reason": "x" * 301}])
def test_without_a_reason_nothing_happens(users, ended, body):
    assert void(users.instructor, ended, **body).status_code == 422
    ended.refresh_from_db()
    assert ended.state == State.GRADED


def test_who_does_not_teach_the_class_finds_nothing(users, ended):
    for person in (users.learner, users.outsider):
        assert void(person, ended, reason="Why not").status_code == 404
