"""Standings under all policies, in whatever order attempts are graded."""

from fractions import Fraction
from itertools import permutations

import pytest

from grading.totals import POLICIES
from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Attempt, Standing
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from quizzes.results import services
from tests.content import NOW, bank, question, quiz
from tests.people import Cast
from tests.taking import later, say, start, take

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
def ten(cast) -> Quiz:
    into = bank(cast)
    asked = [question(into, f"q{n}", right="a", kind="single_choice") for n in range(10)]
    return quiz(cast, asked, window_attempts=None)


def policy(of: Quiz, name: str) -> None:
    of.refresh_from_db()
    of.standing_policy = name
    of.save()
    publishing.publish(quiz=of, by=None, now=NOW)


def submitted(of: Quiz, cast: Cast, right: int, number: int) -> Attempt:
    """An attempt that waits for its grading."""
    when = later(hours=number)
    attempt = start(of, cast.learner, when)
    for slot in range(right):
        say(attempt, slot, "a", when)
    assert lifecycle.submit(attempt=attempt.uuid, learner=cast.learner, now=when)
    return attempt


def stands(cast: Cast) -> tuple[Fraction | None, bool | None, int | None]:
    standing = Standing.objects.get(learner=cast.learner)
    number = standing.attempt.number if standing.attempt else None
    return standing.total, standing.passed, number


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
@pytest.mark.parametrize("name", POLICIES)
def test_the_order_of_grading_makes_no_difference(cast, ten, name, order):
    policy(ten, name)
    attempts = [submitted(ten, cast, right, n) for n, right in enumerate(RIGHT)]
    for n in order:
        services.grade(attempt=attempts[n].uuid, now=later(hours=5))
    assert stands(cast) == STANDS[name]
    standing = Standing.objects.get(learner=cast.learner)
    assert standing.attempts_graded == 3
    assert standing.maximum == 10


@pytest.mark.parametrize("name", POLICIES)
def test_a_new_edition_with_its_own_policy_looks_at_all_attempts(cast, ten, name):
    policy(ten, "latest")
    for n, right in enumerate(RIGHT[:2]):
        take(ten, cast.learner, dict.fromkeys(range(right), "a"), later(hours=n))
    policy(ten, name)
    take(ten, cast.learner, dict.fromkeys(range(RIGHT[2]), "a"), later(hours=4))
    assert stands(cast) == STANDS[name]


def test_an_old_attempt_graded_late_goes_by_the_policy_of_the_latest(cast, ten):
    policy(ten, "highest")
    take(ten, cast.learner, {0: "a"})
    waits = submitted(ten, cast, 10, 1)
    policy(ten, "first")
    take(ten, cast.learner, {0: "a", 1: "a"}, later(hours=2))
    services.grade(attempt=waits.uuid, now=later(hours=3))
    assert stands(cast) == (Fraction(1), False, 1)


@pytest.mark.parametrize("name", POLICIES)
def test_a_void_attempt_leaves_the_standing(cast, ten, name):
    policy(ten, name)
    made = [
        take(ten, cast.learner, dict.fromkeys(range(right), "a"), later(hours=n))
        for n, right in enumerate(RIGHT)
    ]
    services.void(attempt=made[1].uuid, by=cast.instructor, reason="fire alarm", now=NOW)
    expected = {
        "highest": (Fraction(5), False, 3),
        "latest": (Fraction(5), False, 3),
        "first": (Fraction(2), False, 1),
        "average": (Fraction(7, 2), False, None),
    }
    assert stands(cast) == expected[name]
    assert Standing.objects.get(learner=cast.learner).attempts_graded == 2
    take(ten, cast.learner, dict.fromkeys(range(9), "a"), later(hours=6))
    assert (
        stands(cast)[0]
        == {
            "highest": Fraction(9),
            "latest": Fraction(9),
            "first": Fraction(2),
            "average": Fraction(16, 3),
        }[name]
    )


def test_when_all_is_void_there_is_no_outcome(cast, ten):
    attempt = take(ten, cast.learner, {0: "a"})
    services.void(attempt=attempt.uuid, by=cast.instructor, reason="fire alarm", now=NOW)
    assert stands(cast) == (None, None, None)
    assert Standing.objects.get(learner=cast.learner).maximum is None


def test_of_equal_attempts_the_earliest_counts(cast, ten):
    for n in range(2):
        take(ten, cast.learner, {0: "a"}, later(hours=n))
    assert stands(cast) == (Fraction(1), False, 1)


def test_learners_stand_each_for_themselves(cast, ten):
    take(ten, cast.learner, dict.fromkeys(range(10), "a"))
    take(ten, cast.other_learner)
    assert stands(cast)[0] == 10
    assert Standing.objects.get(learner=cast.other_learner).total == 0
