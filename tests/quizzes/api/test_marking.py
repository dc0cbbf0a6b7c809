"""Marks by persons over REST: in place of computed scores, and of answers that wait for them."""

import pytest

from accounts.models import Membership, Role
from quizzes.results.models import ManualGrade, Result
from tests.quizzes.api.programs import program, taken
from tests.users import create_user

pytestmark = pytest.mark.django_db

HALF = {"numerator": 1, "denominator": 2}


@pytest.fixture
def attempt(users, a_quiz, questions) -> str:
    return str(taken(users.learner, a_quiz, questions, "ab")["id"])


def address_of(attempt: str, number: int = 1, of: str = "score") -> str:
    return f"attempts/{attempt}/questions/{number}/{of}"


def load_total(attempt: str):
    return Result.objects.get(attempt__uuid=attempt).grading.total


def test_a_score_is_put_in_place_with_its_reason_and_taken_back(users, attempt):
    teacher, before = program(users.instructor), load_total(attempt)
    body = {"share": HALF, "reason": "Both readings are right.", "seen": 0}
    answer = teacher.post(address_of(attempt), body)
    assert answer.status_code == 200
    assert answer.json()["credit"]["decimal"] == "0.5"
    assert answer.json()["marks"] == 1
    assert load_total(attempt) != before
    mark = ManualGrade.objects.get()
    assert (mark.comment, mark.grader) == ("Both readings are right.", users.instructor)
    again = teacher.post(address_of(attempt), {"withdraw": True, "reason": "It was right."})
    assert again.status_code == 200
    assert load_total(attempt) == before


def test_marked_meanwhile_nothing_is_overwritten(users, attempt):
    teacher = program(users.instructor)
    teacher.post(address_of(attempt), {"share": HALF, "reason": "One."})
    late = teacher.post(address_of(attempt), {"share": HALF, "reason": "Two.", "seen": 0})
    assert (late.status_code, late.json()["code"]) == (409, "marked_meanwhile")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"reason": "Why."}, 422),
        ({"share": HALF, "withdraw": True, "reason": "Why."}, 422),
        ({"share": {"numerator": 3, "denominator": 2}, "reason": "Why."}, 422),
        ({"share": HALF, "reason": " "}, 422),
        ({"withdraw": True, "reason": "Why."}, 409),
    ],
)
def test_what_makes_no_sense_changes_no_score(users, attempt, body, status):
    before = load_total(attempt)
    assert program(users.instructor).post(address_of(attempt), body).status_code == status
    assert load_total(attempt) == before


def test_a_question_that_is_none_is_not_there(users, attempt):
    teacher = program(users.instructor)
    body = {"share": HALF, "reason": "Why."}
    assert teacher.post(address_of(attempt, 0), body).status_code == 404
    assert teacher.post(address_of(attempt, 99), body).status_code == 422


def test_an_assistant_marks_and_a_machine_s_question_waits_for_nobody(users, attempt):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    helper = program(assistant)
    assert helper.post(address_of(attempt), {"share": HALF, "reason": "Why."}).status_code == 200
    refused = helper.post(address_of(attempt, of="mark"), {"share": HALF})
    assert (refused.status_code, refused.json()["code"]) == (409, "needs_nobody")


def test_a_total_is_put_in_place_and_taken_back(users, attempt):
    teacher, before = program(users.instructor), load_total(attempt)
    body = {"share": HALF, "reason": "Two days late", "seen": 0}
    answer = teacher.post(f"attempts/{attempt}/score", body)
    assert answer.status_code == 200
    payload = answer.json()
    assert (payload["marks"], payload["passed"]) == (1, False)
    assert load_total(attempt) * 2 == Result.objects.get(attempt__uuid=attempt).grading.maximum
    result = program(users.learner).get(f"results/{attempt}").json()
    assert result["total_reason"] == "Two days late"
    both = {"share": HALF, "withdraw": True, "reason": "Why."}
    assert teacher.post(f"attempts/{attempt}/score", both).status_code == 422
    back = {"withdraw": True, "reason": "It was in time."}
    assert teacher.post(f"attempts/{attempt}/score", back).status_code == 200
    assert load_total(attempt) == before
    assert teacher.post(f"attempts/{attempt}/score", back).json()["code"] == "not_overridden"


def test_a_comment_is_made_and_the_score_stays(users, attempt):
    teacher, before = program(users.instructor), load_total(attempt)
    answer = teacher.post(address_of(attempt, of="comment"), {"comment": "Read it again."})
    assert answer.status_code == 200
    assert load_total(attempt) == before
    assert ManualGrade.objects.get().comment == "Read it again."
    missing = teacher.post(address_of(attempt, 99, of="comment"), {"comment": "No question."})
    assert missing.status_code in {404, 422}
