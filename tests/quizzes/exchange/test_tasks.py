"""Waking the tasks of imports: a broker that is away delays work and breaks nothing."""

from kombu.exceptions import OperationalError

from quizzes.exchange import tasks


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
