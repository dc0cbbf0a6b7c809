"""Races of those who mark, with real connections on PostgreSQL: no mark is lost or overwritten."""

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt, QuizGrade, State
from quizzes.lib.errors import Conflict, Refused
from quizzes.results import services
from quizzes.results.grading_recomputation import verify
from quizzes.results.manual_grading import grade_manually
from quizzes.results.models import Grading, ManualGrade, Result
from tests.attempt_helpers import finish, start
from tests.essay_factory import (
    FINAL,
    TEXT,
    attempt_with_essay,
    create_essay,
    grade_essay,
    levels,
    save_text,
)
from tests.factories import NOW, create_bank, create_quiz
from tests.query_counts import statements
from tests.quizzes.test_races import fine, locks
from tests.threads import at_once
from tests.users import create_user

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ROUNDS = 3


@pytest.fixture
def graders(users) -> list[Any]:
    """Four instructors of the class."""
    others = [create_user(f"colleague{n}") for n in range(3)]
    for other in others:
        Membership.objects.create(group=users.group, user=other, role=Role.INSTRUCTOR)
    return [users.instructor, *others]


def marking(
    attempt: Attempt, by: Any, grades_given: dict[str, str], slot: int = 0, **more: Any
) -> Any:
    return partial(
        grade_manually, attempt=attempt.uuid, slot=slot, by=by, levels=grades_given, now=NOW, **more
    )


def consistent(attempt: Attempt) -> None:
    """Every mark has its number and its grading, the result names the last, and all recompute."""
    marks = list(ManualGrade.objects.filter(attempt=attempt).values_list("number", flat=True))
    gradings = list(Grading.objects.filter(attempt=attempt).order_by("number"))
    assert sorted(marks) == list(range(1, len(marks) + 1))
    assert [grading.manual_grades_read for grading in gradings] == [0, *sorted(marks)]
    assert Result.objects.get(attempt=attempt).grading == gradings[-1]
    assert [differences for _, differences in verify([attempt]) if differences] == []


def test_of_many_who_mark_one_answer_at_once_one_counts_and_the_others_are_told(users, graders):
    of = create_quiz(users, [create_essay(create_bank(users))], window_attempts=None)
    for _ in range(ROUNDS):
        attempt = attempt_with_essay(of, users.learner)
        outcomes = at_once([marking(attempt, by, levels(n % 3, 1)) for n, by in enumerate(graders)])
        kinds = Counter(type(outcome) for outcome in outcomes)
        assert kinds == {ManualGrade: 1, Conflict: len(graders) - 1}
        consistent(attempt)


def test_of_many_who_mark_it_twice_two_count_and_they_are_first_and_second(users, graders):
    of = create_quiz(users, [create_essay(create_bank(users), graders=2)], window_attempts=None)
    for _ in range(ROUNDS):
        attempt = attempt_with_essay(of, users.learner)
        outcomes = at_once([marking(attempt, by, levels(1, 1)) for by in graders])
        assert Counter(type(outcome) for outcome in outcomes) == {
            ManualGrade: 2,
            Conflict: len(graders) - 2,
        }
        manual_grades = ManualGrade.objects.filter(attempt=attempt)
        assert set(manual_grades.values_list("purpose", flat=True)) == {"first", "second"}
        assert not Result.objects.get(attempt=attempt).grading.provisional
        consistent(attempt)


def test_one_marker_who_saves_twice_at_once_has_two_marks_and_one_place(users, graders):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), graders=2)]), users.learner
    )
    fine(at_once([marking(attempt, users.instructor, levels(n, 1)) for n in (0, 1, 2, 0)]))
    assert set(ManualGrade.objects.values_list("purpose", flat=True)) == {"first"}
    assert Result.objects.get().grading.provisional
    consistent(attempt)


def test_of_those_who_settle_it_at_once_one_does(users, graders):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), graders=2)]), users.learner
    )
    grade_essay(attempt, graders[0], levels(0, 0))
    second = grade_essay(attempt, graders[1], levels(2, 1))
    outcomes = at_once(
        [
            marking(attempt, by, levels(1, n % 2), purpose=FINAL, seen=second.number)
            for n, by in enumerate(graders)
        ]
    )
    assert Counter(type(outcome) for outcome in outcomes) == {
        ManualGrade: 1,
        Conflict: len(graders) - 1,
    }
    consistent(attempt)


def test_marks_of_several_answers_of_one_attempt_at_once_all_reach_the_total(users, graders):
    into = create_bank(users)
    of = create_quiz(users, [create_essay(into, f"why-{n}") for n in range(4)])
    attempt = start(of, users.learner)
    for slot in range(4):
        save_text(attempt, slot, TEXT)
    finish(attempt)
    fine(at_once([marking(attempt, by, levels(2, 1), slot=n) for n, by in enumerate(graders)]))
    grading = Result.objects.get().grading
    assert (grading.number, grading.total, grading.provisional) == (5, Fraction(4), False)
    consistent(attempt)


def test_marks_of_two_attempts_of_one_learner_at_once_both_reach_the_quiz_grade(users, graders):
    of = create_quiz(
        users,
        [create_essay(create_bank(users))],
        window_attempts=None,
        attempt_grade_policy="average",
    )
    attempts = [attempt_with_essay(of, users.learner) for _ in range(4)]
    fine(
        at_once(
            [
                marking(attempt, by, levels(2, 1))
                for attempt, by in zip(attempts, graders, strict=True)
            ]
        )
    )
    quiz_grade = QuizGrade.objects.get()
    assert (quiz_grade.total, quiz_grade.maximum) == (Fraction(1), Fraction(1))
    assert quiz_grade.attempts_graded == 4


def test_voiding_and_marking_at_once_never_lock_each_other_out(users, graders):
    of = create_quiz(users, [create_essay(create_bank(users))], window_attempts=None)
    for _ in range(ROUNDS):
        attempt = attempt_with_essay(of, users.learner)
        voiding = partial(
            services.void, attempt=attempt.uuid, by=users.instructor, reason="fire", now=NOW
        )
        calls = [marking(attempt, users.instructor, levels(1, 1)), voiding] * 4
        outcomes = at_once(calls)
        assert {type(outcome) for outcome in outcomes} <= {ManualGrade, Attempt, Refused}
        attempt.refresh_from_db()
        assert attempt.state == State.VOID
    assert QuizGrade.objects.get().attempts_graded == 0


def test_marking_locks_the_quiz_grade_before_the_attempt(users):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users))]), users.learner
    )
    with statements() as executed:
        grade_essay(attempt, users.instructor)
    assert locks(executed) == ["quiz_grade", "attempt"]
