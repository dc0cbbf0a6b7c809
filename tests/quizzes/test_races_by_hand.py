"""Races of those who mark, with real connections on PostgreSQL: no mark is lost or overwritten."""

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt, Standing, State
from quizzes.lib.errors import Conflict, Refused
from quizzes.results import services
from quizzes.results.by_hand import mark_answer
from quizzes.results.models import Grading, PersonMark, Result
from quizzes.results.verify import verify
from tests.content import NOW, bank, quiz
from tests.essays import FINAL, TEXT, by_hand, essay, hand_in, levels, put
from tests.people import person
from tests.queries import statements
from tests.quizzes.test_races import fine, locks
from tests.taking import finish, start
from tests.threads import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ROUNDS = 3


@pytest.fixture
def markers(cast) -> list[Any]:
    """Four instructors of the class."""
    others = [person(f"colleague{n}") for n in range(3)]
    for one in others:
        Membership.objects.create(group=cast.group, user=one, role=Role.INSTRUCTOR)
    return [cast.instructor, *others]


def marking(attempt: Attempt, by: Any, given: dict[str, str], slot: int = 0, **more: Any) -> Any:
    return partial(
        mark_answer, attempt=attempt.uuid, slot=slot, by=by, levels=given, now=NOW, **more
    )


def consistent(attempt: Attempt) -> None:
    """Every mark has its number and its grading, the result names the last, and all recompute."""
    marks = list(PersonMark.objects.filter(attempt=attempt).values_list("number", flat=True))
    gradings = list(Grading.objects.filter(attempt=attempt).order_by("number"))
    assert sorted(marks) == list(range(1, len(marks) + 1))
    assert [one.person_marks for one in gradings] == [0, *sorted(marks)]
    assert Result.objects.get(attempt=attempt).grading == gradings[-1]
    assert [found for _, found in verify([attempt]) if found] == []


def test_of_many_who_mark_one_answer_at_once_one_counts_and_the_others_are_told(cast, markers):
    of = quiz(cast, [essay(bank(cast))], window_attempts=None)
    for _ in range(ROUNDS):
        attempt = hand_in(of, cast.learner)
        told = at_once([marking(attempt, by, levels(n % 3, 1)) for n, by in enumerate(markers)])
        kinds = Counter(type(one) for one in told)
        assert kinds == {PersonMark: 1, Conflict: len(markers) - 1}
        consistent(attempt)


def test_of_many_who_mark_it_twice_two_count_and_they_are_first_and_second(cast, markers):
    of = quiz(cast, [essay(bank(cast), markers=2)], window_attempts=None)
    for _ in range(ROUNDS):
        attempt = hand_in(of, cast.learner)
        told = at_once([marking(attempt, by, levels(1, 1)) for by in markers])
        assert Counter(type(one) for one in told) == {PersonMark: 2, Conflict: len(markers) - 2}
        given = PersonMark.objects.filter(attempt=attempt)
        assert set(given.values_list("purpose", flat=True)) == {"first", "second"}
        assert not Result.objects.get(attempt=attempt).grading.provisional
        consistent(attempt)


def test_one_marker_who_saves_twice_at_once_has_two_marks_and_one_place(cast, markers):
    attempt = hand_in(quiz(cast, [essay(bank(cast), markers=2)]), cast.learner)
    fine(at_once([marking(attempt, cast.instructor, levels(n, 1)) for n in (0, 1, 2, 0)]))
    assert set(PersonMark.objects.values_list("purpose", flat=True)) == {"first"}
    assert Result.objects.get().grading.provisional
    consistent(attempt)


def test_of_those_who_settle_it_at_once_one_does(cast, markers):
    attempt = hand_in(quiz(cast, [essay(bank(cast), markers=2)]), cast.learner)
    by_hand(attempt, markers[0], levels(0, 0))
    second = by_hand(attempt, markers[1], levels(2, 1))
    told = at_once(
        [
            marking(attempt, by, levels(1, n % 2), purpose=FINAL, seen=second.number)
            for n, by in enumerate(markers)
        ]
    )
    assert Counter(type(one) for one in told) == {PersonMark: 1, Conflict: len(markers) - 1}
    consistent(attempt)


def test_marks_of_several_answers_of_one_attempt_at_once_all_reach_the_total(cast, markers):
    into = bank(cast)
    of = quiz(cast, [essay(into, f"why-{n}") for n in range(4)])
    attempt = start(of, cast.learner)
    for slot in range(4):
        put(attempt, slot, TEXT)
    finish(attempt)
    fine(at_once([marking(attempt, by, levels(2, 1), slot=n) for n, by in enumerate(markers)]))
    grading = Result.objects.get().grading
    assert (grading.number, grading.total, grading.provisional) == (5, Fraction(4), False)
    consistent(attempt)


def test_marks_of_two_attempts_of_one_learner_at_once_both_reach_the_standing(cast, markers):
    of = quiz(cast, [essay(bank(cast))], window_attempts=None, standing_policy="average")
    attempts = [hand_in(of, cast.learner) for _ in range(4)]
    fine(
        at_once(
            [
                marking(attempt, by, levels(2, 1))
                for attempt, by in zip(attempts, markers, strict=True)
            ]
        )
    )
    standing = Standing.objects.get()
    assert (standing.total, standing.maximum) == (Fraction(1), Fraction(1))
    assert standing.attempts_graded == 4


def test_voiding_and_marking_at_once_never_lock_each_other_out(cast, markers):
    of = quiz(cast, [essay(bank(cast))], window_attempts=None)
    for _ in range(ROUNDS):
        attempt = hand_in(of, cast.learner)
        voiding = partial(
            services.void, attempt=attempt.uuid, by=cast.instructor, reason="fire", now=NOW
        )
        calls = [marking(attempt, cast.instructor, levels(1, 1)), voiding] * 4
        told = at_once(calls)
        assert {type(one) for one in told} <= {PersonMark, Attempt, Refused}
        attempt.refresh_from_db()
        assert attempt.state == State.VOID
    assert Standing.objects.get().attempts_graded == 0


def test_marking_locks_the_standing_before_the_attempt(cast):
    attempt = hand_in(quiz(cast, [essay(bank(cast))]), cast.learner)
    with statements() as made:
        by_hand(attempt, cast.instructor)
    assert locks(made) == ["standing", "attempt"]
