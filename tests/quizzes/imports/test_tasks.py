"""Waking the tasks of imports: a broker that is away delays work and breaks nothing."""

from queue import Queue
from types import SimpleNamespace

from kombu.exceptions import OperationalError

from config.celery import VISIBILITY
from quizzes.imports import import_reading, jobs, tasks


def test_a_task_is_told_which_row(monkeypatch):
    told: list[int] = []
    monkeypatch.setattr(tasks.run_import, "delay", told.append)
    tasks.wake(tasks.run_import, 7)
    assert told == [7]


def test_a_broker_that_is_away_leaves_the_row_to_the_sweep(monkeypatch, caplog):
    def away(pk: int) -> None:
        raise OperationalError(pk)

    monkeypatch.setattr(tasks.run_import, "delay", away)
    tasks.wake(tasks.run_import, 7)
    assert "the sweep will" in caplog.text


def eager(monkeypatch, *, yes: bool) -> None:
    app = SimpleNamespace(conf=SimpleNamespace(task_always_eager=yes))
    monkeypatch.setattr(tasks, "current_app", app)


def test_with_workers_one_of_them_is_told(monkeypatch):
    told: list[int] = []
    eager(monkeypatch, yes=False)
    monkeypatch.setattr(tasks.run_import, "delay", told.append)
    tasks.soon(tasks.run_import, 7)
    assert told == [7]


def test_without_workers_an_import_goes_on_by_itself(monkeypatch):
    done: Queue[int] = Queue()
    eager(monkeypatch, yes=True)
    monkeypatch.setattr(tasks.run_import, "run", done.put)
    tasks.soon(tasks.run_import, 7)
    assert done.get(timeout=20) == 7


def test_what_fails_by_itself_is_logged(monkeypatch, caplog):
    def broken(pk: int) -> None:
        raise RuntimeError(pk)

    monkeypatch.setattr(tasks.run_import, "run", broken)
    tasks.by_itself(tasks.run_import, 8)
    assert "import 8 failed" in caplog.text


def test_an_import_stops_itself_before_it_is_told_to_and_before_it_is_begun_again():
    longest, grace = jobs.MAX_DURATION.total_seconds(), jobs.RUN_TIMEOUT.total_seconds()
    assert longest < tasks.SOFT < tasks.HARD < grace <= import_reading.READ_TIMEOUT.total_seconds()
    assert tasks.HARD < VISIBILITY
