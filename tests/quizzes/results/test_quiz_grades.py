"""Quiz grades under all policies, in whatever order attempts are graded."""

from fractions import Fraction
from itertools import permutations

import pytest

from grading.totals import ATTEMPT_GRADE_POLICIES
from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Attempt, QuizGrade
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from quizzes.results import services
from tests.attempt_helpers import later, save_choice, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.users import Users

pytestmark = pytest.mark.django_db

# Right answers, by attempt: two, ten and five of ten.
RIGHT = (2, 10, 5)
STANDS = {
    "highest": (Fraction(10), True, 2),
    "latest": (Fraction(5), False, 3),
    "first": (Fraction(2), False, 1),
    "average": (Fraction(17, 3), False, None),
}


@pytest.fixture
def ten(users) -> Quiz:
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", right="a", kind="single_choice") for n in range(10)]
    return create_quiz(users, questions, window_attempts=None)


def policy(of: Quiz, name: str) -> None:
    of.refresh_from_db()
    of.attempt_grade_policy = name
    of.save()
    publishing.publish(quiz=of, by=None, now=NOW)


def submitted(of: Quiz, users: Users, right: int, number: int) -> Attempt:
    """An attempt that waits for its grading."""
    when = later(hours=number)
    attempt = start(of, users.learner, when)
    for slot in range(right):
        save_choice(attempt, slot, "a", when)
    assert lifecycle.submit(attempt=attempt.uuid, learner=users.learner, now=when)
    return attempt


def stands(users: Users) -> tuple[Fraction | None, bool | None, int | None]:
    quiz_grade = QuizGrade.objects.get(learner=users.learner)
    number = quiz_grade.attempt.number if quiz_grade.attempt else None
    return quiz_grade.total, quiz_grade.passed, number


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
@pytest.mark.parametrize("name", ATTEMPT_GRADE_POLICIES)
def test_the_order_of_grading_makes_no_difference(users, ten, name, order):
    policy(ten, name)
    attempts = [submitted(ten, users, right, n) for n, right in enumerate(RIGHT)]
    for n in order:
        services.grade(attempt=attempts[n].uuid, now=later(hours=5))
    assert stands(users) == STANDS[name]
    quiz_grade = QuizGrade.objects.get(learner=users.learner)
    assert quiz_grade.attempts_graded == 3
    assert quiz_grade.maximum == 10


@pytest.mark.parametrize("name", ATTEMPT_GRADE_POLICIES)
def test_a_new_edition_with_its_own_policy_looks_at_all_attempts(users, ten, name):
    policy(ten, "latest")
    for n, right in enumerate(RIGHT[:2]):
        take_quiz(ten, users.learner, dict.fromkeys(range(right), "a"), later(hours=n))
    policy(ten, name)
    take_quiz(ten, users.learner, dict.fromkeys(range(RIGHT[2]), "a"), later(hours=4))
    assert stands(users) == STANDS[name]


def test_an_old_attempt_graded_late_goes_by_the_policy_of_the_latest(users, ten):
    policy(ten, "highest")
    take_quiz(ten, users.learner, {0: "a"})
    waits = submitted(ten, users, 10, 1)
    policy(ten, "first")
    take_quiz(ten, users.learner, {0: "a", 1: "a"}, later(hours=2))
    services.grade(attempt=waits.uuid, now=later(hours=3))
    assert stands(users) == (Fraction(1), False, 1)


@pytest.mark.parametrize("name", ATTEMPT_GRADE_POLICIES)
def test_a_void_attempt_leaves_the_quiz_grade(users, ten, name):
    policy(ten, name)
    attempts = [
        take_quiz(ten, users.learner, dict.fromkeys(range(right), "a"), later(hours=n))
        for n, right in enumerate(RIGHT)
    ]
    services.void(attempt=attempts[1].uuid, by=users.instructor, reason="fire alarm", now=NOW)
    expected = {
        "highest": (Fraction(5), False, 3),
        "latest": (Fraction(5), False, 3),
        "first": (Fraction(2), False, 1),
        "average": (Fraction(7, 2), False, None),
    }
    assert stands(users) == expected[name]
    assert QuizGrade.objects.get(learner=users.learner).attempts_graded == 2
    take_quiz(ten, users.learner, dict.fromkeys(range(9), "a"), later(hours=6))
    assert (
        stands(users)[0]
        == {
            "highest": Fraction(9),
            "latest": Fraction(9),
            "first": Fraction(2),
            "average": Fraction(16, 3),
        }[name]
    )


def test_when_all_is_void_there_is_no_outcome(users, ten):
    attempt = take_quiz(ten, users.learner, {0: "a"})
    services.void(attempt=attempt.uuid, by=users.instructor, reason="fire alarm", now=NOW)
    assert stands(users) == (None, None, None)
    assert QuizGrade.objects.get(learner=users.learner).maximum is None


def test_of_equal_attempts_the_earliest_counts(users, ten):
    for n in range(2):
        take_quiz(ten, users.learner, {0: "a"}, later(hours=n))
    assert stands(users) == (Fraction(1), False, 1)


def test_learners_stand_each_for_themselves(users, ten):
    take_quiz(ten, users.learner, dict.fromkeys(range(10), "a"))
    take_quiz(ten, users.other_learner)
    assert stands(users)[0] == 10
    assert QuizGrade.objects.get(learner=users.other_learner).total == 0


def pass_mark(of: Quiz, percent: int) -> None:
    of.refresh_from_db()
    of.pass_percent = percent
    of.save()
    publishing.publish(quiz=of, by=None, now=NOW)


def test_a_pass_stays_when_later_versions_ask_for_more(users, ten):
    """Attempts 2 and 3 reach more and fail: 3 is compared with the counted attempt alone."""
    pass_mark(ten, 50)
    passed = take_quiz(ten, users.learner, dict.fromkeys(range(6), "a"))
    pass_mark(ten, 90)
    for number, right in ((2, 7), (3, 8)):
        take_quiz(ten, users.learner, dict.fromkeys(range(right), "a"), later(hours=number))
        assert stands(users) == (Fraction(right), True, number)
    services.void(attempt=passed.uuid, by=users.instructor, reason="fire alarm", now=NOW)
    assert stands(users) == (Fraction(8), False, 3)
