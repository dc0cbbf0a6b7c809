"""Races of reopening with starts, sweeps and itself, with real connections on PostgreSQL."""

from functools import partial

import pytest

from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Attempt, QuizGrade, State
from quizzes.lib.errors import Refused
from quizzes.results import services
from quizzes.results.grading_recomputation import verify
from quizzes.results.reopening import reopen_attempt
from tests.attempt_helpers import later, save_choice, start, take_quiz
from tests.factories import create_quiz
from tests.threads import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ROUNDS = 3


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, time_limit=60, window_attempts=None)


def prepare_reopening(attempt: Attempt, by):
    now = later(minutes=61)
    return partial(reopen_attempt, attempt=attempt.uuid, minutes=9, reason="Alarm", by=by, now=now)


def assert_consistent(opened: int) -> None:
    """One attempt is open at most, the grade is that of the graded, and all recompute."""
    assert Attempt.objects.filter(state=State.OPEN).count() == opened
    graded = Attempt.objects.filter(state=State.GRADED)
    assert QuizGrade.objects.get().attempts_graded == graded.count()
    assert [differences for _, differences in verify(list(graded)) if differences] == []


def end_all() -> None:
    services.sweep(now=later(hours=5))
    assert not Attempt.objects.filter(state__in=[State.OPEN, State.SUBMITTED]).exists()


def test_asked_several_times_at_once_it_goes_on_once(users, quiz):
    attempt = take_quiz(quiz, users.learner, {0: "a"})
    outcomes = at_once([prepare_reopening(attempt, users.instructor)] * 4)
    assert sum(isinstance(outcome, Attempt) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 3
    assert_consistent(opened=1)


def test_beside_a_sweep_it_is_reopened_or_still_open_and_graded_once(users, quiz):
    for _ in range(ROUNDS):
        attempt = start(quiz, users.learner)
        save_choice(attempt, 0, "a")
        reopen = prepare_reopening(attempt, users.instructor)
        reopened, swept = at_once([reopen, partial(services.sweep, now=later(minutes=61))])
        assert not isinstance(swept, Exception)
        if isinstance(reopened, Refused):
            assert reopened.code == "still_open"
            services.sweep(now=later(minutes=61))  # the first passes over what is locked
            reopen()
        attempt.refresh_from_db()
        assert attempt.state == State.VOID
        assert_consistent(opened=1)
        end_all()


def test_beside_a_start_nobody_has_two_open(users, quiz):
    for _ in range(ROUNDS):
        attempt = take_quiz(quiz, users.learner, {0: "a"})
        begin = partial(
            lifecycle.start, quiz=quiz.uuid, learner=users.learner, now=later(minutes=61)
        )
        reopened, begun = at_once([prepare_reopening(attempt, users.instructor), begin])
        assert isinstance(begun, Attempt)
        if isinstance(reopened, Refused):
            assert reopened.code == "another_open"
        else:
            assert reopened == begun
        assert_consistent(opened=1)
        end_all()
