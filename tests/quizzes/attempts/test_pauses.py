"""A pause: time stands still by its length, answers count, and nothing has to end it."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from quizzes.attempts.deadline_extension import extend_by_minutes
from quizzes.attempts.deadline_settings import save_accommodation
from quizzes.attempts.models import Accommodation, Attempt, State
from quizzes.attempts.pauses import MAX_PAUSE_MINUTES, pause_attempts, resume_attempts
from quizzes.attempts.rules import compute_time_left
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.events.models import Event
from quizzes.lib.errors import Invalid
from quizzes.lib.hash_chain import format_time
from quizzes.results import services
from tests.attempt_helpers import finish, later, save_choice, start
from tests.factories import create_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed(users, questions):
    return create_quiz(users, questions, time_limit=60)


def pause(users, at: float, most: int = 30, reason: str = " Fire alarm ") -> int:
    return pause_attempts(
        attempts=Attempt.objects.all(),
        minutes=most,
        reason=reason,
        by=users.instructor,
        now=later(minutes=at),
    )


def resume(users, at: float) -> int:
    attempts = Attempt.objects.all()
    return resume_attempts(attempts=attempts, by=users.instructor, now=later(minutes=at))


def minutes_left(attempt: Attempt, at: float) -> float | None:
    attempt.refresh_from_db()
    left = compute_time_left(attempt.deadline_at, attempt.paused_until, later(minutes=at))
    return None if left is None else left / timedelta(minutes=1)


def test_time_stands_during_a_pause_and_goes_on_by_itself_after_the_longest_it_can_be(users, timed):
    attempt = start(timed, users.learner)
    assert pause(users, at=20, most=30) == 1
    assert [minutes_left(attempt, at) for at in (20, 35, 50, 60, 91)] == [40, 40, 40, 30, 0]


def test_whoever_ends_it_moves_the_cutoff_by_the_length_of_the_pause(users, timed):
    attempt = start(timed, users.learner)
    pause(users, at=20)
    assert resume(users, at=27) == 1
    assert [minutes_left(attempt, at) for at in (27, 40)] == [40, 27]
    assert attempt.deadline_at == later(minutes=67)
    assert attempt.cutoff_at == later(minutes=67, seconds=10)
    assert attempt.paused_for == timedelta(minutes=7)


def test_answers_given_in_a_pause_count_also_after_the_deadline_of_before(users, timed):
    attempt = start(timed, users.learner)
    pause(users, at=59, most=60)
    assert save_choice(attempt, 0, "a", later(minutes=100)).status == "accepted"
    resume(users, at=101)
    graded = finish(attempt, later(minutes=101, seconds=30))
    assert graded.state == State.GRADED
    assert graded.result.grading.passed is not None
    assert save_choice(attempt, 0, "b", later(minutes=102)).status == "late"


def test_no_sweep_ends_a_paused_attempt_and_one_does_when_its_time_is_over(users, timed):
    attempt = start(timed, users.learner)
    pause(users, at=50, most=60)
    services.sweep(now=later(minutes=109))
    attempt.refresh_from_db()
    assert attempt.state == State.OPEN
    services.sweep(now=later(minutes=121))
    attempt.refresh_from_db()
    assert (attempt.state, attempt.submitted_at) == (State.GRADED, later(minutes=120))


def test_one_paused_in_the_grace_after_its_deadline_is_not_ended_by_that(users, timed):
    attempt = start(timed, users.learner)
    assert pause(users, at=60.1) == 1
    assert minutes_left(attempt, at=70) == 0
    assert save_choice(attempt, 0, "a", later(minutes=80)).status == "accepted"
    assert resume(users, at=80) == 1
    services.sweep(now=later(minutes=80.06))
    attempt.refresh_from_db()
    assert attempt.state == State.OPEN


def test_paused_twice_and_resumed_twice_it_moves_once(users, timed):
    attempt = start(timed, users.learner)
    assert [pause(users, at=10), pause(users, at=12)] == [1, 0]
    assert [resume(users, at=15), resume(users, at=16)] == [1, 0]
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=65)


def test_pauses_add_up(users, timed):
    attempt = start(timed, users.learner)
    for begins in (10, 30):
        pause(users, at=begins)
        resume(users, at=begins + 5)
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=70)
    assert attempt.paused_for == timedelta(minutes=10)


def test_minutes_given_in_a_pause_stay(users, timed):
    attempt = start(timed, users.learner)
    pause(users, at=10)
    count = extend_by_minutes(
        attempts=Attempt.objects.all(),
        minutes=15,
        reason="A broken keyboard",
        by=users.instructor,
        now=later(minutes=12),
    )
    assert (count, minutes_left(attempt, at=12)) == (1, 65)
    resume(users, at=20)
    assert minutes_left(attempt, at=20) == 65


def test_an_accommodation_is_computed_without_the_pause(users, timed):
    attempt = start(timed, users.learner)
    pause(users, at=10)
    resume(users, at=20)
    more = Accommodation(quiz=timed, learner=users.learner, time_percent=150)
    assert save_accommodation(accommodation=more, by=users.instructor, now=later(minutes=30)) == 1
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=100)


def test_what_is_over_is_not_paused_and_what_has_no_deadline_is(users, timed, questions):
    finish(start(timed, users.learner), later(minutes=5))
    start(timed, users.other_learner)
    assert pause(users, at=61) == 0
    endless = start(create_quiz(users, questions, slug="endless"), users.learner)
    assert pause(users, at=61) == 1
    endless.refresh_from_db()
    assert (endless.deadline_at, endless.paused_until) == (None, later(minutes=91))
    assert resume(users, at=62) == 1


def test_a_learner_hands_in_during_a_pause(users, timed):
    attempt = start(timed, users.learner)
    save_choice(attempt, 0, "a")
    pause(users, at=30)
    assert finish(attempt, later(minutes=40)).submitted_at == later(minutes=40)
    assert resume(users, at=41) == 0


def test_both_are_in_the_audit_log_and_told_as_events(users, timed):
    attempt = start(timed, users.learner)
    pause(users, at=10)
    resume(users, at=20)
    events = AuditEvent.objects.filter(subject=attempt.uuid, actor=users.instructor.uuid)
    codes: dict[str, Any] = dict(events.values_list("code", "after"))
    assert codes.keys() == {AuditCode.ATTEMPT_PAUSED, AuditCode.ATTEMPT_RESUMED}
    assert codes["attempt_paused"]["reason"] == "Fire alarm"
    assert codes["attempt_resumed"]["deadline_at"] == format_time(later(minutes=70))
    kinds = Event.objects.filter(subject=attempt.uuid).order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["attempt.started", "attempt.paused", "attempt.resumed"]


@pytest.mark.parametrize(("most", "reason"), [(0, "x"), (MAX_PAUSE_MINUTES + 1, "x"), (5, " ")])
def test_a_pause_out_of_range_or_without_a_reason_is_refused(users, timed, most, reason):
    start(timed, users.learner)
    with pytest.raises(Invalid):
        pause(users, at=1, most=most, reason=reason)


def test_the_database_takes_no_time_away_without_a_pause_that_ends(users, timed):
    start(timed, users.learner)
    pause(users, at=10)
    paused = Attempt.objects.get()
    for fields in (
        {"deadline_at": later(minutes=60), "cutoff_at": later(minutes=60)},
        {"paused_until": later(minutes=11), "deadline_at": later(minutes=59)},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Attempt.objects.filter(pk=paused.pk).update(**fields)
    resume(users, at=20)
    finish(paused, later(minutes=21))
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.filter(pk=paused.pk).update(paused_until=later(minutes=90))
