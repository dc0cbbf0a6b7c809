"""Starting the tasks of imports: without a broker or a worker, a thread does them."""

from queue import Queue
from types import SimpleNamespace

import pytest
from kombu.exceptions import OperationalError

from config.celery import VISIBILITY
from quizzes.imports import import_reading, jobs, tasks

START = tasks.start
"""What tests elsewhere do without: they run a task at once."""


def with_workers(monkeypatch, *, yes: bool) -> None:
    app = SimpleNamespace(conf=SimpleNamespace(task_always_eager=not yes))
    monkeypatch.setattr(tasks, "current_app", app)


def test_with_workers_one_of_them_does_a_task(monkeypatch):
    sent: list[int] = []
    with_workers(monkeypatch, yes=True)
    monkeypatch.setattr(tasks.run_import, "delay", sent.append)
    START(tasks.run_import, 7)
    assert sent == [7]


@pytest.mark.parametrize("workers", [False, True], ids=["no workers", "no broker"])
def test_without_workers_or_broker_a_thread_does_it(monkeypatch, workers):
    def raise_error(pk: int) -> None:
        raise OperationalError(pk)

    done: Queue[int] = Queue()
    with_workers(monkeypatch, yes=workers)
    monkeypatch.setattr(tasks.run_import, "delay", raise_error)
    monkeypatch.setattr(tasks.run_import, "run", done.put)
    START(tasks.run_import, 7)
    assert done.get(timeout=20) == 7


def test_what_fails_in_a_thread_is_logged(monkeypatch, caplog):
    def broken(pk: int) -> None:
        raise RuntimeError(pk)

    monkeypatch.setattr(tasks.run_import, "run", broken)
    tasks.run_in_thread(tasks.run_import, 8)
    assert "import 8 failed" in caplog.text


def test_an_import_stops_itself_before_it_is_told_to_and_before_it_is_begun_again():
    longest, grace = jobs.MAX_DURATION.total_seconds(), jobs.RUN_TIMEOUT.total_seconds()
    assert longest < tasks.SOFT < tasks.HARD < grace <= import_reading.READ_TIMEOUT.total_seconds()
    assert tasks.HARD < VISIBILITY
