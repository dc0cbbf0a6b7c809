"""The deadline engine: when it looks, what it does when nothing works, and whether it is alive."""

import threading
from datetime import timedelta

import pytest
from celery import signals
from django.db import OperationalError, connections, transaction

from config import deadline_engine
from config.deadline_engine import AFTER_FAILURE, LONGEST_PAUSE, SHORTEST_PAUSE, DeadlineEngine
from quizzes.attempts.models import Attempt, State
from quizzes.lib import clock, steady_clock
from quizzes.results import deadline_queue, services
from tests.attempt_helpers import start
from tests.factories import create_quiz
from tests.forged_rows import overwrite


@pytest.fixture
def engine():
    return DeadlineEngine()


@pytest.fixture
def attempt(users, questions):
    """An attempt that has begun now and may take half an hour."""
    return start(create_quiz(users, questions, time_limit=30), users.learner, clock.now())


def move_cutoff(seconds: float) -> None:
    ends = clock.now() + timedelta(seconds=seconds)
    overwrite(Attempt.objects.all(), deadline_at=ends, cutoff_at=ends)


@pytest.mark.django_db
def test_with_nothing_to_do_it_asks_once_and_sleeps_as_long_as_it_may(engine, counted):
    with counted() as statements:
        assert engine.look() == LONGEST_PAUSE
    assert len(statements) == 1


@pytest.mark.django_db
def test_it_sleeps_until_the_next_cutoff_and_ends_nothing_before(engine, attempt):
    assert engine.look() == LONGEST_PAUSE
    move_cutoff(2)
    assert 0 < engine.look() <= 2.001
    attempt.refresh_from_db()
    assert attempt.state == State.OPEN


@pytest.mark.django_db
def test_what_is_due_is_ended_and_graded_and_the_next_look_comes_at_once(engine, attempt):
    move_cutoff(-0.01)
    assert engine.look() == 0
    attempt.refresh_from_db()
    assert attempt.state == State.GRADED
    assert engine.look() == LONGEST_PAUSE


@pytest.mark.django_db
def test_what_others_have_locked_is_left_alone_for_a_moment(engine, attempt, monkeypatch):
    move_cutoff(-1)
    monkeypatch.setattr(services, "sweep", lambda *, now: services.Sweep(0, 0, 0))
    assert engine.look() == SHORTEST_PAUSE


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_hung_session_that_holds_one_attempt_holds_up_no_other(engine, users, questions):
    quiz = create_quiz(users, questions, time_limit=30)
    learners = (users.learner, users.other_learner)
    first, second = [start(quiz, learner, clock.now()) for learner in learners]
    move_cutoff(-0.01)
    is_held, is_over = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Attempt.objects.select_for_update().get(pk=first.pk)
                is_held.set()
                is_over.wait(60)
        finally:
            connections.close_all()

    session = threading.Thread(target=hold, daemon=True)
    session.start()
    try:
        assert is_held.wait(30)
        engine.look()
        assert not engine.fails
        ended = Attempt.objects.filter(state=State.GRADED)
        assert list(ended) == [second]
        assert engine.look() == SHORTEST_PAUSE
    finally:
        is_over.set()
        session.join(30)
    engine.look()
    first.refresh_from_db()
    assert first.state == State.GRADED


@pytest.mark.django_db
def test_an_outage_is_told_once_and_tried_again_soon(engine, monkeypatch, caplog):
    def fail():
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(deadline_engine, "connection", type("Gone", (), {"close": lambda: None}))
        patch.setattr(deadline_queue, "load_next_due", fail)
        assert engine.look() == engine.look() == AFTER_FAILURE
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 1
    assert engine.look() == LONGEST_PAUSE
    assert not engine.fails


def test_it_looks_until_it_is_told_to_stop(engine, monkeypatch):
    looks = []

    def look():
        looks.append(threading.current_thread())
        if len(looks) == 3:
            engine.stop.set()
        return 0.0

    monkeypatch.setattr(engine, "look", look)
    engine.run()
    assert len(looks) == 3


def test_an_engine_that_hangs_is_not_alive(engine, monkeypatch):
    assert engine.is_alive()
    later = steady_clock.seconds() + deadline_engine.MAX_SILENCE
    monkeypatch.setattr(steady_clock, "seconds", lambda: later)
    assert not engine.is_alive()


def test_each_process_of_a_worker_starts_one_engine(monkeypatch):
    started = threading.Event()
    monkeypatch.setattr(deadline_engine, "engines", [])
    monkeypatch.setattr(DeadlineEngine, "run", lambda _self: started.set())
    for _ in range(2):
        signals.worker_process_init.send(sender="test")
    assert started.wait(20)
    assert len(deadline_engine.engines) == 1
