"""Races, with real connections on PostgreSQL: whatever crosses, the invariants hold."""

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from quizzes.attempts import services as lifecycle
from quizzes.attempts.deadline_extension import extend_by_minutes, extend_deadlines
from quizzes.attempts.models import (
    Accommodation,
    Attempt,
    QuizGrade,
    Response,
    SaveStatus,
    State,
)
from quizzes.attempts.pauses import pause_attempts, resume_attempts
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.events.models import Event
from quizzes.lib.errors import Refused
from quizzes.publishing.models import Quiz
from quizzes.publishing.services import publish
from quizzes.results import services
from quizzes.results.models import Grading, ItemResult, Result
from quizzes.results.selectors import load_report
from tests.attempt_helpers import later, raw_choice, save_choice, start
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.query_counts import statements
from tests.threads import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ROUNDS = 3


@pytest.fixture
def two(users) -> list[Any]:
    into = create_bank(users)
    return [
        create_question(into, "one", right="ab"),
        create_question(into, "two", right="b", kind="single_choice"),
    ]


def fine(results: list[Any]) -> list[Any]:
    problems = [result_ for result_ in results if isinstance(result_, Exception)]
    assert problems == []
    return results


def finishing(attempt: Attempt, now=NOW) -> Any:
    return partial(services.finish, attempt=attempt.uuid, learner=attempt.learner, now=now)


def saving(attempt: Attempt, slot: int, letters: str, **fields: Any) -> Any:
    response_input = ResponseInput(
        slot=slot, raw=raw_choice(attempt, slot, letters), idempotency_key=uuid4(), **fields
    )
    return partial(
        save_responses,
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[response_input],
        language="en",
        now=NOW,
    )


# --- Publish ---------------------------------------------------------------------------------
def test_the_same_draft_published_many_times_at_once_is_one_quiz_version(users, two):
    for number in range(ROUNDS):
        of = create_quiz(users, two, slug=f"quiz-{number}")
        Quiz.objects.filter(pk=of.pk).update(pass_percent=70)
        publishing = partial(publish, quiz=of, by=None, now=NOW)
        assert {version.number for version in fine(at_once([publishing] * 8))} == {2}
        assert of.versions.count() == 2


# --- Start -----------------------------------------------------------------------------------
@pytest.mark.parametrize("most", [1, 2, 3])
def test_starts_at_once_give_one_attempt_and_never_more_than_allowed(users, two, most):
    for number in range(ROUNDS):
        of = create_quiz(users, two, slug=f"quiz-{number}", max_attempts=most, window_attempts=None)
        starting = partial(lifecycle.start, quiz=of.uuid, learner=users.learner, now=NOW)
        for used in range(most):
            attempts = fine(at_once([starting] * 32))
            assert len({attempt.pk for attempt in attempts}) == 1
            mine = Attempt.objects.filter(quiz=of)
            assert mine.count() == used + 1
            assert mine.filter(state=State.OPEN).count() == 1
            services.finish(attempt=attempts[0].uuid, learner=users.learner, now=NOW)
        refused = at_once([starting] * 32)
        assert {getattr(refusal, "code", None) for refusal in refused} == {"no_attempts_left"}
        assert Attempt.objects.filter(quiz=of).count() == most


def through(of: Quiz, learner: Any) -> int:
    """Start and finish until the rules say no; how many times it was let in."""
    done = 0
    while True:
        try:
            attempt = lifecycle.start(quiz=of.uuid, learner=learner, now=NOW)
        except Refused:
            return done
        services.finish(attempt=attempt.uuid, learner=learner, now=NOW)
        done += 1


@pytest.mark.parametrize("most", [1, 3])
def test_starts_and_submits_at_once_use_exactly_the_limit_and_none_is_stuck(users, two, most):
    for number in range(3):
        of = create_quiz(users, two, slug=f"quiz-{number}", max_attempts=most, window_attempts=None)
        fine(at_once([partial(through, of, users.learner)] * 16))
        states = Counter(Attempt.objects.filter(quiz=of).values_list("state", flat=True))
        assert states == {State.GRADED: most}
        assert QuizGrade.objects.get(quiz=of).attempts_graded == most


def test_starts_over_an_expired_attempt_end_it_once_and_open_one(users, two):
    of = create_quiz(users, two, time_limit=30)
    old = start(of, users.learner)
    starting = partial(lifecycle.start, quiz=of.uuid, learner=users.learner, now=later(hours=1))
    sweeping = partial(services.sweep, now=later(hours=1))
    outcomes = fine(at_once([starting, sweeping] * 12))
    assert len({outcome_.pk for outcome_ in outcomes if isinstance(outcome_, Attempt)}) == 1
    old.refresh_from_db()
    assert old.state in {State.SUBMITTED, State.GRADED}
    assert Attempt.objects.filter(state=State.OPEN).count() == 1


# --- Submit and grade ------------------------------------------------------------------------
def outcome(attempt: Attempt) -> Any:
    services.finish(attempt=attempt.uuid, learner=attempt.learner, now=NOW)
    return load_report(attempt=attempt.uuid, viewer=attempt.learner, language="en", now=NOW)


def test_fifty_submits_at_once_give_one_grading_and_fifty_equal_outcomes(users, two):
    attempt = start(create_quiz(users, two), users.learner)
    save_choice(attempt, 0, "ab")
    outcomes = fine(at_once([partial(outcome, attempt)] * 50))
    assert all(outcome_ == outcomes[0] for outcome_ in outcomes)
    assert outcomes[0].summary.score.total == 1
    assert Grading.objects.count() == Result.objects.count() == 1
    assert ItemResult.objects.count() == 2
    assert Event.objects.filter(kind="attempt.graded").count() == 1
    assert QuizGrade.objects.get().attempts_graded == 1


def test_sweeps_and_submits_at_once_give_one_grading_each(users, two):
    of = create_quiz(users, two, time_limit=30)
    attempts = [start(of, who) for who in (users.learner, users.other_learner, users.instructor)]
    late = later(hours=1)
    calls = [finishing(attempt, late) for attempt in attempts for _ in range(5)]
    fine(at_once(calls + [partial(services.sweep, now=late)] * 8))
    assert Grading.objects.count() == 3
    assert set(Attempt.objects.values_list("state", "submission_reason")) == {("graded", "expired")}


def test_two_attempts_of_one_learner_graded_at_once_both_reach_the_quiz_grade(users, two):
    for policy in ("highest", "latest", "first", "average"):
        of = create_quiz(users, two, slug=policy, attempt_grade_policy=policy, window_attempts=None)
        attempts = []
        for hour, letters in enumerate(("a", "ab", "", "ab")):
            attempt = start(of, users.learner, later(hours=hour))
            save_choice(attempt, 0, letters, later(hours=hour))
            lifecycle.submit(attempt=attempt.uuid, learner=users.learner, now=later(hours=hour))
            attempts.append(attempt)
        grading = [partial(services.grade, attempt=attempt.uuid, now=NOW) for attempt in attempts]
        fine(at_once(grading * 4))
        quiz_grade = QuizGrade.objects.get(quiz=of)
        assert quiz_grade.attempts_graded == 4
        expected = {"highest": 1, "latest": 1, "first": Fraction(1, 2), "average": Fraction(5, 8)}
        assert quiz_grade.total == expected[policy]


def test_voiding_and_grading_at_once_never_lock_each_other_out(users, two):
    of = create_quiz(users, two, window_attempts=None)
    for number in range(ROUNDS):
        attempt = start(of, users.learner, later(hours=number))
        lifecycle.submit(attempt=attempt.uuid, learner=users.learner, now=later(hours=number))
        grading = partial(services.grade, attempt=attempt.uuid, now=NOW)
        voiding = partial(
            services.void, attempt=attempt.uuid, by=users.instructor, reason="fire", now=NOW
        )
        fine(at_once([grading, voiding] * 6))
        attempt.refresh_from_db()
        assert attempt.state == State.VOID
    assert QuizGrade.objects.get().attempts_graded == 0


# --- Save ------------------------------------------------------------------------------------
def test_of_saves_over_the_same_state_one_counts_and_the_others_conflict(users, two):
    attempt = start(create_quiz(users, two), users.learner)
    saves = fine(at_once([saving(attempt, 0, letters, base_revision=0) for letters in "abcd" * 4]))
    verdicts = Counter(save[0].status for save in saves)
    assert verdicts == {SaveStatus.ACCEPTED: 1, SaveStatus.CONFLICT: 15}
    assert {save[0].revision for save in saves} == {1}
    assert len({str(save[0].answer) for save in saves}) == 1
    assert Response.objects.count() == 16


def test_saves_without_a_base_queue_up(users, two):
    attempt = start(create_quiz(users, two), users.learner)
    saves = fine(at_once([saving(attempt, 0, letters) for letters in "abcd" * 4]))
    assert sorted(save[0].revision for save in saves) == list(range(1, 17))


def test_the_same_save_sent_many_times_at_once_is_kept_once_and_answered_alike(users, two):
    attempt = start(create_quiz(users, two), users.learner)
    saves = fine(at_once([saving(attempt, 0, "a", base_revision=0)] * 16))
    assert all(save == saves[0] for save in saves)
    assert saves[0][0].status == SaveStatus.ACCEPTED
    assert Response.objects.count() == 1


def test_a_save_acknowledged_before_the_submit_counts_and_any_other_is_late(users, two):
    of = create_quiz(users, two, window_attempts=None)
    for number in range(ROUNDS * 2):
        attempt = start(of, users.learner, later(hours=number))
        calls = [saving(attempt, 1, "b", base_revision=0), finishing(attempt)]
        outcomes = fine(at_once(calls if number % 2 else calls[::-1]))
        saved = next(answer for answer in outcomes if not isinstance(answer, dict | None))[0]
        mark = ItemResult.objects.get(grading__attempt=attempt, slot=1)
        counted = saved.status == SaveStatus.ACCEPTED
        assert saved.status in {SaveStatus.ACCEPTED, SaveStatus.LATE}
        assert (mark.answer is not None) is counted
        assert mark.credit_numerator == int(counted)
        assert Response.objects.filter(attempt=attempt).count() == 1


# --- Locks -----------------------------------------------------------------------------------
def locks(executed: list[str]) -> list[str]:
    """What each locking statement takes, in its order."""
    tables = {"attempts_quizgrade": "quiz_grade", "attempts_attempt": "attempt"}
    locked_tables = []
    for statement in executed:
        _, sign, names = statement.rpartition(" FOR UPDATE")
        if sign:
            aliases = [name.strip(' "') for name in names.replace(" OF ", "").split(",") if name]
            first = next(table for table in tables if f'FROM "{table}"' in statement)
            locked_tables += [tables[alias] for alias in aliases or [first]]
    return locked_tables


def test_the_quiz_grade_is_always_locked_before_the_attempt(users, two):
    of = create_quiz(users, two, window_attempts=None)
    with statements() as first:
        attempt = start(of, users.learner)
    lifecycle.submit(attempt=attempt.uuid, learner=users.learner, now=NOW)
    with statements() as graded:
        services.grade(attempt=attempt.uuid, now=NOW)
    with statements() as voided:
        services.void(attempt=attempt.uuid, by=users.instructor, reason="fire", now=NOW)
    with statements() as started:
        start(of, users.learner)
    assert connection.vendor == "postgresql"
    # The first start has no row to hold; the one that it makes is its own until it commits.
    assert locks(first) == []
    assert locks(started) == ["quiz_grade"]
    assert locks(graded) == locks(voided) == ["quiz_grade", "attempt"]


def test_a_save_locks_its_attempt_alone(users, two):
    attempt = start(create_quiz(users, two), users.learner)
    with statements() as executed:
        save_choice(attempt, 0, "a")
    assert locks(executed) == ["attempt"]


# --- Looking, while more time is given -------------------------------------------------------
def test_a_look_never_submits_an_attempt_that_was_extended_a_moment_before(users, two, monkeypatch):
    """The look reads that the time is over; before it acts, an extension begun in time commits."""
    of = create_quiz(users, two, time_limit=30)
    attempt = start(of, users.learner)
    save_choice(attempt, 0, "a")
    Accommodation.objects.create(quiz=of, learner=users.learner, time_percent=200)
    overdue = services._UNSETTLED
    extending = partial(extend_deadlines, Attempt.objects.filter(quiz=of), now=later(minutes=30))

    class Overtaken:
        def all(self, *values: Any) -> list[Any]:
            attempts = overdue.all(*values)
            assert attempts == [attempt.uuid]
            assert fine(at_once([extending])) == [1]
            return attempts

    monkeypatch.setattr(services, "_UNSETTLED", Overtaken())
    services.finish_overdue(learner=users.learner, now=later(minutes=31))
    attempt.refresh_from_db()
    assert (attempt.state, attempt.deadline_at) == (State.OPEN, later(minutes=60))


def test_looks_sweeps_and_extensions_at_once_leave_an_attempt_open_or_expired_at_its_deadline(
    users, two
):
    for number in range(ROUNDS):
        of = create_quiz(users, two, slug=f"quiz-{number}", time_limit=30)
        attempt = start(of, users.learner)
        Accommodation.objects.create(quiz=of, learner=users.learner, time_percent=200)
        late = later(minutes=31)
        looking = partial(services.finish_overdue, learner=users.learner, now=late)
        sweeping = partial(services.sweep, now=late)
        extending = partial(
            extend_deadlines, Attempt.objects.filter(quiz=of), now=later(minutes=30)
        )
        fine(at_once([looking, extending, sweeping, looking, extending, sweeping]))
        attempt.refresh_from_db()
        ended = (
            attempt.state,
            attempt.submission_reason,
            attempt.submitted_at,
            attempt.deadline_at,
        )
        assert ended in {
            (State.OPEN, "", None, later(minutes=60)),
            (State.GRADED, "expired", later(minutes=30), later(minutes=30)),
        }


def test_minutes_given_while_sweeps_run_all_count_or_come_too_late(users, two):
    for number in range(ROUNDS):
        of = create_quiz(users, two, slug=f"quiz-{number}", time_limit=30)
        attempt = start(of, users.learner)
        sweeping = partial(services.sweep, now=later(minutes=31))
        extending = partial(
            extend_by_minutes,
            attempts=Attempt.objects.filter(quiz=of),
            minutes=10,
            reason="Fire alarm",
            by=users.instructor,
            now=later(minutes=30),
        )
        counts = fine(at_once([sweeping, extending, sweeping, extending]))
        attempt.refresh_from_db()
        if attempt.state == State.OPEN:
            assert (counts[1], counts[3]) == (1, 1)
            assert attempt.deadline_at == later(minutes=50)
        else:
            assert (counts[1], counts[3]) == (0, 0)
            assert attempt.submitted_at == attempt.deadline_at == later(minutes=30)


def pausing(users, quiz: Quiz, **span: float) -> Any:
    return partial(
        pause_attempts,
        attempts=Attempt.objects.filter(quiz=quiz),
        minutes=30,
        reason="Fire alarm",
        by=users.instructor,
        now=later(**span),
    )


def test_a_pause_meets_sweeps_and_either_ends_nothing_or_comes_too_late(users, two):
    for number in range(ROUNDS):
        of = create_quiz(users, two, slug=f"quiz-{number}", time_limit=30)
        attempt = start(of, users.learner)
        sweeping = partial(services.sweep, now=later(minutes=31))
        counts = fine(at_once([sweeping, pausing(users, of, minutes=30), sweeping]))
        # A sweep does not wait for the quiz grade that a pause holds: one after the next try does.
        services.sweep(now=later(minutes=59))
        attempt.refresh_from_db()
        ended = (attempt.state, attempt.submitted_at, attempt.deadline_at)
        assert (counts[1], ended) in {
            (1, (State.OPEN, None, later(minutes=60))),
            (0, (State.GRADED, later(minutes=30), later(minutes=30))),
        }


def test_a_pause_meets_a_submit_and_the_attempt_is_handed_in_once(users, two):
    for number in range(ROUNDS):
        of = create_quiz(users, two, slug=f"quiz-{number}", time_limit=30)
        attempt = start(of, users.learner)
        submitting = finishing(attempt, now=later(minutes=10))
        fine(at_once([submitting, pausing(users, of, minutes=10), submitting]))
        attempt.refresh_from_db()
        assert (attempt.state, attempt.submitted_at) == (State.GRADED, later(minutes=10))
        assert attempt.gradings.count() == 1


def test_a_pause_that_is_begun_and_ended_many_times_at_once_moves_the_deadline_once(users, two):
    for number in range(ROUNDS):
        of = create_quiz(users, two, slug=f"quiz-{number}", time_limit=30)
        attempt = start(of, users.learner)
        counts = fine(at_once([pausing(users, of, minutes=10)] * 3))
        assert sum(counts) == 1
        resuming = partial(
            resume_attempts,
            attempts=Attempt.objects.filter(quiz=of),
            by=users.instructor,
            now=later(minutes=15),
        )
        counts = fine(at_once([resuming, saving(attempt, 0, "a"), resuming, resuming]))
        assert counts[0] + counts[2] + counts[3] == 1
        attempt.refresh_from_db()
        assert attempt.deadline_at == later(minutes=35)
