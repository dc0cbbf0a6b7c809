"""Finishing and grading: once, whole, and never in the way of a submit."""

import logging
from fractions import Fraction
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from grading.contract import ENGINE_VERSION, ItemScore, NeedsManualGrading
from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Attempt, QuizGrade, State, SubmissionReason
from quizzes.events.models import Event
from quizzes.lib.errors import NotFound, Refused
from quizzes.results import grading_records, scoring, services
from quizzes.results.models import Grading, ItemResult, Result
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.forged_rows import overwrite

pytestmark = pytest.mark.django_db

RIGHT = {0: "abc", 1: "b", 2: "b"}


@pytest.fixture
def broken(monkeypatch, caplog):
    """A grader that fails, until its list is emptied."""
    failing = [True]

    def mark(*arguments):
        if failing:
            raise RuntimeError("the grader is broken")
        return scoring.score_attempt(*arguments)

    caplog.set_level(logging.CRITICAL)
    monkeypatch.setattr(services, "score_attempt", mark)
    return failing


def test_finishing_writes_grading_marks_result_quiz_grade_and_event(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, {0: "ab", 1: "b"})
    assert (attempt.state, attempt.submission_reason) == (State.GRADED, SubmissionReason.SUBMITTED)
    grading = Grading.objects.get()
    assert (grading.number, grading.reason, grading.engine) == (1, "submitted", ENGINE_VERSION)
    assert (grading.total, grading.maximum) == (Fraction(5, 3), Fraction(3))
    assert not grading.passed
    assert not grading.provisional
    marks = list(ItemResult.objects.filter(grading=grading))
    assert [(m.slot, m.credit_numerator, m.credit_denominator) for m in marks] == [
        (0, 2, 3),
        (1, 1, 1),
        (2, 0, 1),
    ]
    assert marks[2].answer is None
    result = Result.objects.get()
    assert (result.attempt, result.grading, result.updated_at) == (attempt, grading, NOW)
    quiz_grade = QuizGrade.objects.get()
    assert (quiz_grade.total, quiz_grade.attempt) == (Fraction(5, 3), attempt)
    event = Event.objects.get(kind="attempt.graded")
    assert event.data == {"grading": 1, "reason": "submitted", "passed": False}


def test_every_ledger_adds_up_to_its_mark_and_the_marks_to_the_total(users, a_quiz):
    take_quiz(a_quiz, users.learner, {0: "abd", 1: "a", 2: "b"})
    total = Fraction()
    for row in ItemResult.objects.all():
        mark = ItemScore.from_json(row.score)
        assert sum((line.earned for line in mark.ledger), Fraction()) == mark.credit
        total += mark.credit * Fraction(row.points_numerator, row.points_denominator)
    assert total == Grading.objects.get().total


def test_finishing_again_changes_nothing(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, RIGHT)
    before = list(Grading.objects.values())
    finish(attempt, later(hours=1))
    assert list(Grading.objects.values()) == before
    assert Event.objects.filter(kind="attempt.graded").count() == 1
    assert attempt.submitted_at == NOW


@pytest.mark.parametrize("who", ["other_learner", "instructor", "administrator", "stranger"])
def test_nobody_finishes_for_another(users, a_quiz, who):
    attempt = start(a_quiz, users.learner)
    with pytest.raises(NotFound):
        services.finish(attempt=attempt.uuid, learner=getattr(users, who), now=NOW)
    attempt.refresh_from_db()
    assert attempt.state == State.OPEN


def test_what_is_not_there_cannot_be_finished(users):
    with pytest.raises(NotFound):
        services.finish(attempt=uuid4(), learner=users.learner, now=NOW)


def test_a_void_attempt_cannot_be_finished(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    services.void(attempt=attempt.uuid, by=users.instructor, reason="fire alarm", now=NOW)
    with pytest.raises(Refused, match="void"):
        finish(attempt)
    assert not Grading.objects.exists()


def test_what_was_saved_in_time_counts_when_the_learner_never_came_back(users, questions):
    attempt = start(create_quiz(users, questions, time_limit=30), users.learner)
    for slot, letters in RIGHT.items():
        save_choice(attempt, slot, letters)
    services.sweep(now=later(days=1))
    attempt.refresh_from_db()
    assert (attempt.state, attempt.submission_reason) == (State.GRADED, SubmissionReason.EXPIRED)
    assert attempt.submitted_at == later(minutes=30)
    grading = Grading.objects.get()
    assert (grading.reason, grading.passed) == ("expired", True)


# --- A grader that fails ---------------------------------------------------------------------
def test_a_failing_grader_does_not_block_a_submit(users, a_quiz, broken):
    attempt = take_quiz(a_quiz, users.learner, RIGHT)
    assert attempt.state == State.SUBMITTED
    assert not Grading.objects.exists()
    assert not Result.objects.exists()
    assert not Event.objects.filter(kind="attempt.graded").exists()


def test_the_sweep_finishes_what_a_failing_grader_left(users, a_quiz, broken):
    attempt = take_quiz(a_quiz, users.learner, RIGHT)
    assert services.sweep(now=later(minutes=1)).graded == 0
    broken.clear()
    assert services.sweep(now=later(minutes=2)).graded == 1
    attempt.refresh_from_db()
    assert attempt.state == State.GRADED
    assert attempt.submitted_at == NOW
    assert Grading.objects.get().graded_at == later(minutes=2)


def test_submitting_again_grades_what_was_left(users, a_quiz, broken):
    attempt = take_quiz(a_quiz, users.learner, RIGHT)
    broken.clear()
    assert finish(attempt, later(minutes=1)).state == State.GRADED


def test_a_grading_that_fails_half_way_leaves_nothing(users, a_quiz, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("between marks and quiz grade")

    caplog.set_level(logging.CRITICAL)
    monkeypatch.setattr(grading_records, "update_quiz_grade", fail)
    assert take_quiz(a_quiz, users.learner, RIGHT).state == State.SUBMITTED
    assert not Grading.objects.exists()
    assert not ItemResult.objects.exists()


def test_one_attempt_that_fails_does_not_hold_up_the_others(users, a_quiz, monkeypatch, caplog):
    poisoned, sound = start(a_quiz, users.learner), start(a_quiz, users.other_learner)
    for attempt in (poisoned, sound):
        lifecycle.submit(attempt=attempt.uuid, learner=attempt.learner, now=NOW)
    overwrite(Attempt.objects.filter(pk=poisoned.pk), manifest={"form": 99})
    caplog.set_level(logging.CRITICAL)
    assert services.sweep(now=NOW).graded == 1
    sound.refresh_from_db()
    assert sound.state == State.GRADED
    assert "stays in the queue" in caplog.text or not caplog.records


def test_a_failure_is_written_down(users, a_quiz, monkeypatch, caplog):
    monkeypatch.setattr(services, "score_attempt", lambda *_: 1 / 0)
    take_quiz(a_quiz, users.learner)
    assert "stays in the queue" in caplog.text


# --- Sweeping --------------------------------------------------------------------------------
def test_the_sweep_is_safe_to_run_twice(users, questions):
    start(create_quiz(users, questions, time_limit=30), users.learner)
    assert services.sweep(now=later(days=1)).graded == 1
    assert services.sweep(now=later(days=1)).graded == 0
    assert Grading.objects.count() == 1


def test_the_sweep_leaves_open_attempts_alone(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    assert services.sweep(now=later(days=99)).graded == 0
    attempt.refresh_from_db()
    assert attempt.state == State.OPEN


def test_the_sweep_takes_the_oldest_first_and_stops_at_its_measure(users, a_quiz, monkeypatch):
    for minute, learner in enumerate((users.other_learner, users.learner)):
        attempt = start(a_quiz, learner)
        lifecycle.submit(attempt=attempt.uuid, learner=learner, now=later(minutes=minute))
    monkeypatch.setattr(services, "BATCH", 1)
    assert services.sweep(now=later(minutes=2)).graded == 1
    assert Grading.objects.get().learner == users.other_learner


def test_grading_what_is_not_submitted_does_nothing(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    services.grade(attempt=attempt.uuid, now=NOW)
    assert not Grading.objects.exists()


# --- Provisional -----------------------------------------------------------------------------
def test_what_waits_for_a_person_is_provisional_and_not_passed(users, a_quiz, monkeypatch):
    def mark(*arguments):
        marked = scoring.score_attempt(*arguments)
        return type(marked)(
            (NeedsManualGrading("essay"), *marked.item_scores[1:]),
            marked.points,
            marked.total,
            marked.maximum,
            passed=True,
        )

    monkeypatch.setattr(services, "score_attempt", mark)
    take_quiz(a_quiz, users.learner, RIGHT)
    grading = Grading.objects.get()
    assert (grading.provisional, grading.passed) == (True, False)
    row = ItemResult.objects.get(slot=0)
    assert (row.credit_numerator, row.score) == (None, {"needs_manual_grading": "essay"})


# --- Held by the database --------------------------------------------------------------------
def test_a_second_first_grading_is_refused(users, a_quiz):
    take_quiz(a_quiz, users.learner)
    twin = Grading.objects.get()
    twin.pk, twin._state.adding = None, True
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


# --- Cost ------------------------------------------------------------------------------------
@pytest.mark.parametrize("policy", ["highest", "latest", "first", "average"])
@pytest.mark.parametrize(("size", "options"), [(3, "abc"), (40, "abcdefgh")])
def test_finishing_costs_eight_statements_whatever_the_size(users, counted, policy, size, options):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", right="a", options=options) for n in range(size)]
    of = create_quiz(users, questions, attempt_grade_policy=policy, window_attempts=None)
    take_quiz(
        of, users.other_learner
    )  # the first reads quiz versions, papers and keys, once a process
    for number in range(4):
        attempt = start(of, users.learner, later(hours=number))
        save_choice(attempt, 0, "a", later(hours=number))
        with counted() as queries:
            services.finish(attempt=attempt.uuid, learner=users.learner, now=later(hours=number))
        # Only an average rests on every attempt before, and has to read them.
        one_more = policy == "average" and number > 0
        assert len(queries) <= 8 + one_more, queries
