"""Totals of any size: whatever weights authors write, an attempt is graded, and exactly."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from grading.json_types import ratio_to_json
from quizzes.attempts.models import QuizGrade, State
from quizzes.bank import services as banks
from quizzes.document import QuestionDocument
from quizzes.results.models import Grading, ItemResult
from tests.attempt_helpers import later, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz, option_ids
from tests.users import Users

pytestmark = pytest.mark.django_db

PRIMES = (99991, 99989, 99971, 99961, 99929, 99923, 99907, 99901)


@pytest.fixture
def odd(users: Users):
    """Questions whose weights have nothing in common."""
    into = create_bank(users)
    return [weighted(into, f"q{n}", PRIMES[n], PRIMES[n + 1]) for n in range(0, len(PRIMES), 2)]


def weighted(into, name: str, *parts: int):
    question = create_question(into, name, right="a", options="abc", kind="single_choice")
    a, b, c = option_ids(question, "a", "b", "c")
    item = QuestionDocument.from_json(question.draft.data)
    weights: Any = {a: [1, 1], b: [1, parts[0]], c: ratio_to_json(Fraction(1, parts[1]))}
    key: Any = {"right": [a], "weights": weights}
    item = replace(item, scoring_method="option_weights", key=key)
    banks.save_draft(question=question, item=item, revision=None, by=None)
    banks.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def total(letters: str) -> Fraction:
    place = "bc".index
    return sum(
        (Fraction(1, PRIMES[2 * n + place(letter)]) for n, letter in enumerate(letters)),
        Fraction(),
    )


def test_an_attempt_with_weights_of_odd_denominators_is_graded_exactly(users, odd):
    quiz = create_quiz(users, odd)
    attempt = take_quiz(quiz, users.learner, dict(enumerate("bbbb")))
    assert attempt.state == State.GRADED
    grading = Grading.objects.get(attempt=attempt)
    assert grading.total == total("bbbb")
    assert grading.total_denominator > 2**63
    assert QuizGrade.objects.get(quiz=quiz).total == total("bbbb")
    marks = ItemResult.objects.filter(grading=grading).values_list("credit_denominator", flat=True)
    assert list(marks) == [PRIMES[n] for n in (0, 2, 4, 6)]


def test_the_mean_of_such_attempts_stands_exactly_too(users, odd):
    quiz = create_quiz(users, odd, attempt_grade_policy="average", max_attempts=2)
    for number, letters in enumerate(("bbbb", "cccc")):
        take_quiz(quiz, users.learner, dict(enumerate(letters)), later(hours=number))
    expected = (total("bbbb") + total("cccc")) / 2
    assert QuizGrade.objects.get(quiz=quiz).total == expected


def test_a_quiz_grade_without_a_grading_has_no_total(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "one")])
    quiz_grade = QuizGrade.objects.create(quiz=quiz, learner=users.learner)
    quiz_grade.refresh_from_db()
    assert quiz_grade.total is None
