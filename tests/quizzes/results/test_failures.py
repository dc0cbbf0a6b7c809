"""Attempts that cannot be graded: counted, put off, named; and never in the way of others."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, OperationalError, connection

from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Attempt, QuizGrade, State, SubmissionReason
from quizzes.instructor.results.attempt_status import PROBLEMS
from quizzes.lib.triggers import Trigger, drop_triggers, install_triggers
from quizzes.results import deadline_queue, scoring, services
from quizzes.results.failures import (
    ALARM,
    FIRST_PAUSE,
    HAS_FAILED,
    LEASE,
    LONGEST_PAUSE,
    lease,
    list_quarantined,
    pause,
    record_failure,
)
from quizzes.results.models import Grading, GradingFailure
from tests.attempt_helpers import later, start, take_quiz
from tests.corrupt_manifests import EVERY, corrupt_manifest
from tests.factories import NOW, create_quiz
from tests.forged_rows import overwrite, without_triggers

pytestmark = pytest.mark.django_db


def submitted(of, quiz_grade: QuizGrade, numbers, *, manifest, at) -> list[Attempt]:
    """Many submitted attempts of one learner, written straight into the database."""
    with without_triggers():
        return Attempt.objects.bulk_create(
            Attempt(
                quiz_grade=quiz_grade,
                quiz_version=of.current,
                quiz=of,
                learner=quiz_grade.learner,
                number=number,
                state=State.SUBMITTED,
                submission_reason=SubmissionReason.SUBMITTED,
                manifest=manifest,
                started_at=NOW,
                submitted_at=at(number),
            )
            for number in numbers
        )


@pytest.fixture
def poisoned(users, a_quiz, caplog):
    """Six hundred attempts that no grader can read, submitted before anybody else's."""
    caplog.set_level("CRITICAL")
    quiz_grade = QuizGrade.objects.create(quiz=a_quiz, learner=users.other_learner)
    return submitted(
        a_quiz,
        quiz_grade,
        range(1, 601),
        manifest={"form": 99},
        at=lambda number: NOW - timedelta(hours=1, seconds=number),
    )


def submit(attempt: Attempt, now=NOW) -> None:
    lifecycle.submit(attempt=attempt.uuid, learner=attempt.learner, now=now)


def test_a_healthy_attempt_is_graded_whatever_is_poisoned_before_it(users, a_quiz, poisoned):
    healthy = start(a_quiz, users.learner)
    submit(healthy)
    sweeps = [services.sweep(now=later(seconds=number)) for number in range(38)]
    assert sum(sweep.graded for sweep in sweeps) == 1
    assert Grading.objects.get().attempt == healthy
    # From then on nobody waits for what was tried before, though all of it is due again.
    another = start(a_quiz, users.learner, later(minutes=3))
    submit(another, later(minutes=3))
    assert services.sweep(now=later(minutes=60)).graded == 1
    assert GradingFailure.objects.count() == 600


def test_what_was_never_tried_comes_first_and_the_oldest_of_it(users, a_quiz, monkeypatch):
    quiz_grade = QuizGrade.objects.create(quiz=a_quiz, learner=users.learner)
    # In no order of their ids.
    minutes = {1: 5, 2: 1, 3: 4, 4: 2, 5: 3}
    attempts = submitted(
        a_quiz,
        quiz_grade,
        minutes,
        manifest={"form": 99},
        at=lambda number: later(minutes=minutes[number]),
    )
    for attempt, due in zip(attempts[3:], (8, 7), strict=True):
        GradingFailure.objects.create(
            attempt=attempt,
            learner_id=attempt.learner_id,
            tries=1,
            failed_at=NOW,
            next_try_at=later(minutes=due),
        )
    tried: list[int] = []
    numbers = {attempt.uuid: attempt.number for attempt in attempts}

    def note(attempt, now):
        tried.append(numbers[attempt])
        return False

    monkeypatch.setattr(services, "_grade_claimed", note)
    monkeypatch.setattr(services, "BATCH", 2)
    monkeypatch.setattr(services, "RETRIES", 1)
    services.sweep(now=later(minutes=9))
    assert tried == [2, 3, 5]
    services.sweep(now=later(minutes=9))
    assert tried == [2, 3, 5, 1, 4]


def test_what_ends_the_process_that_grades_it_is_tried_by_itself_and_later(
    users, a_quiz, monkeypatch, caplog
):
    deadly, healthy = start(a_quiz, users.learner), start(a_quiz, users.other_learner)
    submit(deadly)
    submit(healthy, later(seconds=1))
    grade = services.grade

    def kill(*, attempt, now, wait):
        if attempt == deadly.uuid:
            raise KeyboardInterrupt  # nothing catches it, nothing is written down after it
        return grade(attempt=attempt, now=now, wait=wait)

    monkeypatch.setattr(services, "grade", kill)
    with pytest.raises(KeyboardInterrupt):
        services.sweep(now=later(seconds=2))
    healthy.refresh_from_db()
    assert healthy.state == State.SUBMITTED
    # Both are due again; what kills comes first, and once more ends the process.
    with pytest.raises(KeyboardInterrupt):
        services.sweep(now=later(seconds=12))
    assert services.sweep(now=later(seconds=12)).graded == 1
    caplog.set_level("CRITICAL")
    for _ in range(ALARM - 1):
        with pytest.raises(KeyboardInterrupt):
            services.sweep(now=GradingFailure.objects.get().next_try_at)
    failure = list_quarantined().get()
    assert (failure.attempt, failure.code) == (deadly, "interrupted")
    assert failure.next_try_at - failure.failed_at == LONGEST_PAUSE
    assert str(deadly.uuid) in caplog.text


def test_an_attempt_that_cannot_be_ended_holds_up_no_other(users, questions, caplog):
    of = create_quiz(users, questions, time_limit=30)
    stuck, healthy = start(of, users.learner), start(of, users.other_learner)
    refusal = Trigger("refuses_one", "attempts_attempt", "UPDATE OF state", f"OLD.id = {stuck.pk}")
    install_triggers(connection, [refusal])
    caplog.set_level("CRITICAL")
    assert services.sweep(now=later(hours=1)) == (1, 1, 1)
    healthy.refresh_from_db()
    assert healthy.state == State.GRADED
    failure = GradingFailure.objects.get()
    assert (failure.attempt, failure.code, failure.tries) == (stuck, "submission_failed", 1)
    assert services.sweep(now=later(hours=1)) == (0, 0, 0)
    assert deadline_queue.load_next_due()[1] == failure.next_try_at
    connection.check_constraints()  # none is pending, or PostgreSQL drops no trigger
    drop_triggers(connection, [refusal])
    assert services.sweep(now=failure.next_try_at) == (1, 1, 1)
    assert not GradingFailure.objects.exists()


def test_an_attempt_that_failed_and_got_more_time_is_due_at_its_new_cutoff(users, questions):
    attempt = start(create_quiz(users, questions, time_limit=30), users.learner)
    record_failure(attempt=attempt.uuid, error=ValueError("no"), now=later(minutes=31))
    overwrite(Attempt.objects.all(), deadline_at=later(hours=2), cutoff_at=later(hours=3))
    assert deadline_queue.load_next_due()[1] == later(hours=3)
    services.void(attempt=attempt.uuid, by=users.instructor, reason="ill", now=NOW)
    assert deadline_queue.load_next_due()[1] is None


def test_a_database_that_is_away_is_no_fault_of_the_attempt(users, a_quiz, monkeypatch):
    attempt = start(a_quiz, users.learner)
    submit(attempt)

    def away(**_):
        raise OperationalError("away")

    monkeypatch.setattr(services, "grade", away)
    with pytest.raises(OperationalError):
        services.sweep(now=NOW)
    failure = GradingFailure.objects.get()
    assert failure.next_try_at - NOW == LEASE
    assert not Attempt.objects.filter(HAS_FAILED).exists()
    # A learner who submits then writes nothing down, either: the engine finds the row.
    GradingFailure.objects.all().delete()
    services.finish(attempt=attempt.uuid, learner=users.learner, now=NOW)
    assert not GradingFailure.objects.exists()


def test_a_grader_that_never_comes_to_an_end_fails_with_this_reason(users, a_quiz, monkeypatch):
    def loop(*_):
        while True:
            pass

    attempt = start(a_quiz, users.learner)
    submit(attempt)
    with monkeypatch.context() as patch:
        patch.setattr(scoring, "_score", loop)
        patch.setattr(scoring, "MAX_SECONDS", 0.1)
        assert services.sweep(now=NOW) == (0, 1, 0)
    failure = GradingFailure.objects.get()
    assert (failure.code, failure.next_try_at - NOW) == ("grader_too_slow", FIRST_PAUSE)
    assert failure.code in PROBLEMS
    assert services.sweep(now=failure.next_try_at).graded == 1


@pytest.fixture
def broken(monkeypatch, caplog):
    """A grader that fails, until its list is emptied."""
    failing = [True]

    def mark(*arguments):
        if failing:
            raise RuntimeError("the grader is \0 broken")
        return scoring.score_attempt(*arguments)

    caplog.set_level("CRITICAL")
    monkeypatch.setattr(services, "score_attempt", mark)
    return failing


def test_failures_in_a_row_are_counted_and_each_pause_is_longer(users, a_quiz, broken, caplog):
    attempt = take_quiz(a_quiz, users.learner)
    now, pauses = NOW, []
    for tries in range(1, ALARM):
        failure = GradingFailure.objects.get(attempt=attempt)
        assert (failure.tries, failure.failed_at) == (tries, now)
        assert (failure.code, failure.detail) == (
            "grader_failed",
            "RuntimeError: the grader is  broken",
        )
        pauses.append(failure.next_try_at - now)
        services.sweep(now=failure.next_try_at - timedelta(seconds=1))  # not yet
        now = failure.next_try_at
        services.sweep(now=now)
    assert pauses == sorted(set(pauses))
    assert list_quarantined().get().attempt == attempt
    assert GradingFailure.objects.get().next_try_at - now == LONGEST_PAUSE
    assert f"{ALARM} times in a row" in caplog.text


def test_pauses_double_up_to_a_bound():
    assert pause(1) == FIRST_PAUSE
    assert pause(2) == FIRST_PAUSE * 2
    assert pause(ALARM) == pause(10_000) == LONGEST_PAUSE
    # Whoever was killed by outages waits no longer after the second than after the first.
    assert {lease(tries) for tries in range(1, ALARM)} == {LEASE}
    assert lease(10_000) == LONGEST_PAUSE


def test_what_is_graded_at_last_has_no_failure_any_more(users, a_quiz, broken):
    attempt = take_quiz(a_quiz, users.learner)
    broken.clear()
    assert services.sweep(now=later(minutes=1)).graded == 1
    attempt.refresh_from_db()
    assert attempt.state == State.GRADED
    assert not GradingFailure.objects.exists()


def test_looking_again_and_again_neither_tries_nor_counts(users, a_quiz, broken):
    take_quiz(a_quiz, users.learner)
    for second in range(1, 20):
        services.finish_overdue(learner=users.learner, now=later(seconds=second))
    assert GradingFailure.objects.get().tries == 1
    services.finish_overdue(learner=users.learner, now=NOW + FIRST_PAUSE)
    assert GradingFailure.objects.get().tries == 2


def test_what_was_graded_meanwhile_is_no_failure(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner)
    record_failure(attempt=attempt.uuid, error=ValueError("late"), now=NOW)
    assert not GradingFailure.objects.exists()


def test_a_failure_that_cannot_be_written_down_blocks_no_submit(users, a_quiz, broken, monkeypatch):
    def away(**_):
        raise DatabaseError("away")

    monkeypatch.setattr(services, "record_failure", away)
    assert take_quiz(a_quiz, users.learner).state == State.SUBMITTED


@pytest.mark.parametrize("garble", EVERY.values(), ids=EVERY.keys())
def test_the_failure_names_what_cannot_be_read(users, a_quiz, caplog, garble):
    caplog.set_level("CRITICAL")
    attempt = start(a_quiz, users.learner)
    corrupt_manifest(attempt, garble)
    submit(attempt)
    services.sweep(now=NOW)
    failures = GradingFailure.objects.values_list("code", flat=True)
    expected = {"manifest_unreadable", "kind_unknown", "version_missing"}
    assert set(failures) <= expected
    attempt.refresh_from_db()
    assert attempt.state == (State.SUBMITTED if failures else State.GRADED)
