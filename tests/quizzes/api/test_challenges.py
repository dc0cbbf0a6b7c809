"""Challenges over REST: what pages do, with the same rules."""

import pytest

from quizzes.attempts.models import Attempt
from quizzes.audit.models import AuditEvent
from quizzes.publishing import services as publishing
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, option_ids
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db
POSTED = {"reason": "key", "comment": "The book says a."}


def path(attempt: Attempt, number: int = 2) -> str:
    return f"attempts/{attempt.uuid}/questions/{number}/challenge"


@pytest.fixture
def attempt(users, a_quiz) -> Attempt:
    a_quiz.reveal_key = "after_close"
    a_quiz.save()
    publishing.publish(quiz=a_quiz, by=None, now=NOW)
    return take_quiz(a_quiz, users.learner, {1: "a"})


def test_a_challenge_is_made_answered_and_read(users, attempt, questions):
    learner, teacher = program(users.learner), program(users.instructor)
    option = option_ids(questions[1], "a")[0]
    created = learner.post(path(attempt), {**POSTED, "option": option})
    assert created.status_code == 201
    assert created.json() == learner.get(path(attempt)).json()
    (listed,) = teacher.get("challenges", waiting="true").json()["items"]
    assert (listed["number"], listed["option"], listed["comment"]) == (2, option, POSTED["comment"])
    assert listed["question"] == str(questions[1].uuid)
    body = {"verdict": "accepted", "answer": "The key was wrong."}
    answered = teacher.post(f"challenges/{listed['id']}/answer", body)
    assert (answered.status_code, answered.json()["verdict"]) == (200, "accepted")
    hidden = learner.get(path(attempt)).json()
    assert (hidden["is_answered"], hidden["verdict"], hidden["answer"]) == (True, "", "")
    teacher.post(f"challenges/{listed['id']}/answer", {**body, "safe_before_key": True})
    assert learner.get(path(attempt)).json()["answer"] == "The key was wrong."
    assert teacher.get("challenges", waiting="true").json()["items"] == []
    assert len(teacher.get("challenges", waiting="false").json()["items"]) == 1


def test_of_two_who_answer_at_once_the_second_is_told(users, attempt):
    program(users.learner).post(path(attempt), POSTED)
    teacher, other = program(users.instructor), program(users.administrator)
    (listed,) = teacher.get("challenges").json()["items"]
    where = f"challenges/{listed['id']}"
    read = teacher.get(where)
    assert (read.json(), read["ETag"]) == (listed, other.get(where)["ETag"])
    declined = {"verdict": "declined", "answer": "See page 12."}
    first = other.post(f"{where}/answer", declined, **{"If-Match": read["ETag"]})
    assert first.status_code == 200
    accepted = {"verdict": "accepted", "answer": "The key was wrong."}
    second = teacher.post(f"{where}/answer", accepted, **{"If-Match": read["ETag"]})
    assert (second.status_code, second.json()["code"]) == (412, "precondition_failed")
    assert teacher.get(where).json()["verdict"] == "declined"
    again = teacher.post(f"{where}/answer", accepted, **{"If-Match": first["ETag"]})
    assert (again.status_code, again["ETag"]) == (200, teacher.get(where)["ETag"])


def test_who_reads_a_challenge_has_seen_keys(users, attempt):
    program(users.learner).post(path(attempt), POSTED)
    (listed,) = program(users.instructor).get("challenges").json()["items"]
    program(users.administrator).get(f"challenges/{listed['id']}")
    seen = AuditEvent.objects.get(code="keys_viewed", actor=users.administrator.uuid)
    assert seen.subject == attempt.quiz.uuid


def test_who_lists_them_has_seen_keys(users, attempt):
    program(users.learner).post(path(attempt), POSTED)
    program(users.instructor).get("challenges")
    event = AuditEvent.objects.get(code="keys_viewed")
    assert (event.actor, event.subject) == (users.instructor.uuid, attempt.quiz.uuid)


def test_the_list_is_of_a_question_and_of_a_quiz(users, attempt, questions):
    learner, teacher = program(users.learner), program(users.instructor)
    for number in (1, 2):
        learner.post(path(attempt, number), POSTED)
    (only,) = teacher.get("challenges", question=str(questions[0].uuid)).json()["items"]
    assert only["number"] == 1
    assert len(teacher.get("challenges", quiz=str(attempt.quiz.uuid)).json()["items"]) == 2
    assert teacher.get("challenges", quiz=str(questions[0].uuid)).json()["items"] == []
    first = teacher.get("challenges", limit=1).json()
    assert len(first["items"]) == 1
    second = teacher.get("challenges", limit=1, cursor=first["cursor"]).json()
    assert [row["number"] for row in (*first["items"], *second["items"])] == [1, 2]


@pytest.mark.parametrize(
    ("posted", "status", "code"),
    [
        ({"reason": "key"}, 422, "invalid"),
        ({**POSTED, "reason": "angry"}, 422, "invalid"),
        ({**POSTED, "option": "00000000-0000-4000-8000-000000000001"}, 422, None),
        ({**POSTED, "slot": 1}, 422, "invalid"),
    ],
)
def test_what_makes_no_sense_is_named(users, attempt, posted, status, code):
    response = program(users.learner).post(path(attempt), posted)
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    assert code is None or response.json()["code"] == code


def test_said_twice_it_is_a_conflict(users, attempt):
    learner = program(users.learner)
    assert learner.post(path(attempt), POSTED).status_code == 201
    second = learner.post(path(attempt), POSTED)
    assert (second.status_code, second.json()["code"]) == (409, "challenged_before")
