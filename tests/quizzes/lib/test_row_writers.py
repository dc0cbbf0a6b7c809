"""Many rows in one statement: the same rows as one by one."""

from datetime import timedelta
from fractions import Fraction

import pytest

from quizzes.attempts.models import QuizGrade
from quizzes.lib.row_writers import insert_sharing, update_columns
from quizzes.results.models import Grading, ItemResult
from tests.attempt_helpers import finish, save_choice, start
from tests.factories import NOW, create_question, create_quiz
from tests.forged_rows import without_triggers

pytestmark = pytest.mark.django_db
POINTS = ("points_numerator", "points_denominator")
SHARED = ("version", "answer", "credit_numerator", "credit_denominator", *POINTS)
BIG = 10**40 + 1


@pytest.fixture
def gradings(users, into):
    quiz = create_quiz(users, [create_question(into, "q")], window_attempts=None)
    for learner in (users.learner, users.other_learner):
        attempt = start(quiz, learner)
        save_choice(attempt, 0, "a")
        finish(attempt)
    return list(Grading.objects.order_by("pk"))


def test_columns_of_many_rows_are_updated_and_no_others(gradings, counted):
    rows = list(QuizGrade.objects.order_by("pk"))
    later = NOW + timedelta(days=1)
    rows[0].total_numerator, rows[0].total_denominator = 1, BIG
    rows[1].attempt = None
    for row in rows:
        row.updated_at, row.attempts_graded = later, 99
    columns = ("total_numerator", "total_denominator", "attempt", "updated_at")
    with without_triggers(), counted() as statements:
        update_columns(QuizGrade, rows, columns)
        update_columns(QuizGrade, [], columns)
    assert len(statements) == 1
    first, second = QuizGrade.objects.order_by("pk")
    assert (first.total, first.attempt_id) == (Fraction(1, BIG), gradings[0].attempt_id)
    assert (second.total, second.attempt_id) == (rows[1].total, None)
    assert {first.updated_at, second.updated_at} == {later}
    assert {first.attempts_graded, second.attempts_graded} == {1}


def test_rows_that_share_values_are_inserted_with_them(gradings, counted):
    version = ItemResult.objects.get(grading=gradings[0]).version_id
    answers = ('{"chosen": ["a"], "text": "50 % é \'\\""}', None, '{"chosen": ["a"]}')
    credit = ("1", str(BIG))
    rows = [
        (
            (grading.learner_id, grading.pk, slot),
            (version, answer, *(credit if slot != 2 else (None, None)), slot, 7),
        )
        for grading in gradings
        for slot, answer in enumerate(answers, start=1)
    ]
    with without_triggers(), counted() as statements:
        insert_sharing(ItemResult, ("learner", "grading", "slot"), SHARED, rows)
        insert_sharing(ItemResult, ("learner", "grading", "slot"), SHARED, [])
    assert len(statements) == 1
    for grading in gradings:
        stored = ItemResult.objects.filter(grading=grading, slot__gt=0).order_by("slot")
        assert [
            (row.learner_id, row.slot, row.answer, row.credit, row.points) for row in stored
        ] == [
            (
                grading.learner_id,
                1,
                {"chosen": ["a"], "text": "50 % é '\""},
                Fraction(1, BIG),
                Fraction(1, 7),
            ),
            (grading.learner_id, 2, None, None, Fraction(2, 7)),
            (grading.learner_id, 3, {"chosen": ["a"]}, Fraction(1, BIG), Fraction(3, 7)),
        ]
