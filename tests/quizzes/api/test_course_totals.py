"""How the total of a class is made, over REST: read, said anew, compared with what was read."""

from uuid import uuid4

import pytest

from quizzes.attempts.models import Assignment
from quizzes.course_grades.models import GradeCategory, GradeScheme
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(users, a_quiz) -> str:
    Assignment.objects.get_or_create(quiz=a_quiz, group=users.group)
    return f"classes/{users.group.uuid}/course-total"


def build_rule(*quizzes: str, **changes: object) -> dict[str, object]:
    category = {"name": "Quizzes", "weight_percent": "62.5", "quizzes": list(quizzes), **changes}
    return {"categories": [category], "missing": "zero", "pass_percent": "60"}


def test_a_class_without_a_rule_has_no_categories(users, address):
    answer = program(users.instructor).get(address)
    assert answer.json() == {
        "categories": [],
        "missing": "excluded",
        "pass_percent": "80",
        "is_published": False,
    }


def test_a_rule_is_said_and_read_back(users, address, a_quiz):
    teacher = program(users.instructor)
    rule = build_rule(str(a_quiz.uuid), counted="best", number=1)
    answer = teacher.post(address, rule)
    assert answer.status_code == 200
    assert answer.json() == {**rule, "is_published": False}
    assert teacher.get(address).json() == answer.json()
    assert GradeCategory.objects.get().quizzes.get().quiz == a_quiz
    assert teacher.post(address, {"categories": []}).status_code == 200
    assert not GradeScheme.objects.exists()


def test_a_rule_that_somebody_else_changed_is_not_overwritten(users, address, a_quiz):
    first = program(users.instructor).get(address)
    program(users.administrator).post(address, build_rule(str(a_quiz.uuid)))
    late = program(users.instructor).post(
        address, {"categories": []}, **{"If-Match": first["ETag"]}
    )
    assert late.status_code == 412
    assert GradeScheme.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"quizzes": [str(uuid4())]},
        {"weight_percent": "101"},
        {"weight_percent": "0"},
        {"weight_percent": "1.234"},
        {"counted": "best"},
        {"name": " "},
    ],
)
def test_what_makes_no_sense_is_refused(users, address, changes):
    answer = program(users.instructor).post(address, build_rule(**changes))
    assert answer.status_code == 422
    assert not GradeScheme.objects.exists()
