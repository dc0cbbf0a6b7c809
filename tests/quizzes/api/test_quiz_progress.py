"""Who is taking a quiz over REST, and more time, pauses and messages as on the page."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt, AttemptMessage
from quizzes.lib import clock
from tests.attempt_helpers import start
from tests.factories import create_quiz
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, time_limit=60)


@pytest.fixture
def attempts(users, quiz) -> list[Attempt]:
    return [start(quiz, person, clock.now()) for person in (users.learner, users.other_learner)]


def act(person, quiz, action: str, **body):
    return program(person).post(f"quizzes/{quiz.uuid}/progress/{action}", body)


def test_everybody_is_paused_listed_so_and_goes_on(users, quiz, attempts):
    answer = act(users.instructor, quiz, "pause", minutes=30, reason="Fire alarm")
    assert answer.json() == {"attempts": 2}
    listed = program(users.instructor).get(f"quizzes/{quiz.uuid}/progress").json()["items"]
    states = {row["attempt"]: (row["state"], row["questions"]) for row in listed}
    assert states == {str(attempt.uuid): ("paused", 3) for attempt in attempts}
    assert all(3590 < row["seconds_left"] <= 3600 for row in listed)
    own = program(users.learner).get(f"attempts/{attempts[0].uuid}").json()
    assert own["paused_until"] == listed[0]["paused_until"]
    assert act(users.instructor, quiz, "resume").json() == {"attempts": 2}
    assert act(users.instructor, quiz, "resume").json() == {"attempts": 0}


def test_more_time_and_a_message_reach_those_who_are_named_alone(users, quiz, attempts):
    chosen = [str(attempts[0].uuid)]
    more = {"minutes": 10, "reason": "A broken keyboard", "attempts": chosen}
    assert act(users.instructor, quiz, "extend", **more).json() == {"attempts": 1}
    text = {"text": "You have ten more minutes.", "attempts": chosen}
    assert act(users.instructor, quiz, "message", **text).json() == {"attempts": 1}
    before = attempts[0].deadline_at
    attempts[0].refresh_from_db()
    assert before is not None
    assert attempts[0].deadline_at == before + timedelta(minutes=10)
    assert AttemptMessage.objects.get().attempt == attempts[0]


def test_assistants_read_and_do_nothing_and_others_find_nothing(users, quiz, attempts):
    body = {"text": "Hello"}
    for person in (users.outsider, users.learner, users.stranger):
        assert program(person).get(f"quizzes/{quiz.uuid}/progress").status_code == 404
        assert act(person, quiz, "message", **body).status_code == 404
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    assert program(users.stranger).get(f"quizzes/{quiz.uuid}/progress").status_code == 200
    assert act(users.stranger, quiz, "message", **body).status_code == 404
    assert not AttemptMessage.objects.exists()


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("pause", {"minutes": 0, "reason": "x"}),
        ("pause", {"minutes": 241, "reason": "x"}),
        ("extend", {"minutes": 10, "reason": " "}),
        ("message", {"text": "x" * 1001}),
        ("message", {"text": "x", "attempts": []}),
    ],
)
def test_what_cannot_be_is_refused(users, quiz, attempts, action, body):
    assert act(users.instructor, quiz, action, **body).status_code == 422


def test_an_attempt_of_another_quiz_is_left_alone(users, quiz, attempts):
    answer = act(users.instructor, quiz, "resume", attempts=[str(uuid4())])
    assert answer.json() == {"attempts": 0}
