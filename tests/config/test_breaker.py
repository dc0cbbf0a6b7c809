"""The breaker: open while the database answers nothing, closed by itself when it does again."""

import threading

import pytest

from config import breaker
from config.breaker import Breaker


class Database:
    """Answers pings while `awake` is set, and notes for how long each of them would wait."""

    def __init__(self) -> None:
        self.awake = threading.Event()
        self.asked: list[float] = []

    def ping(self, _address: str, seconds: float) -> bool:
        self.asked.append(seconds)
        return self.awake.wait(20 if seconds > breaker.PING_TIMEOUT else 0)


def wait_for_breakers() -> None:
    """Wait until no thread waits for a database: the last thing it does is to say so in the log."""
    for thread in threading.enumerate():
        if thread.name == "breaker":
            thread.join(20)


@pytest.fixture
def database():
    database = Database()
    yield database
    database.awake.set()
    wait_for_breakers()


@pytest.fixture
def closed(monkeypatch):
    """Tell when a breaker was closed."""
    event = threading.Event()
    monkeypatch.setattr(breaker.log, "warning", lambda _words: event.set())
    return event


def test_a_database_that_answers_leaves_it_closed(database):
    database.awake.set()
    circuit = Breaker(database.ping)
    assert circuit.check("dsn", since=0.0)
    assert not circuit.is_open
    assert circuit.last_answer > 0


def test_silence_opens_it_and_the_first_answer_closes_it(database, closed):
    circuit = Breaker(database.ping)
    assert not circuit.check("dsn", since=0.0)
    assert circuit.is_open
    database.awake.set()
    assert closed.wait(20)
    assert not circuit.is_open


def test_while_it_is_open_nobody_else_asks(database):
    circuit = Breaker(database.ping)
    circuit.check("dsn", since=0.0)
    assert not circuit.check("dsn", since=0.0)
    assert database.asked.count(breaker.PING_TIMEOUT) == 1


def test_what_another_thread_heard_meanwhile_is_a_sign_of_life(database):
    circuit = Breaker(database.ping)
    circuit.last_answer = 8.0
    assert circuit.check("dsn", since=7.0)
    assert database.asked == []


def test_the_end_of_an_outage_is_awaited_on_one_connection_after_another(database, monkeypatch):
    answers = iter([False, False, False, True])
    pauses: list[float] = []
    ended = threading.Event()
    monkeypatch.setattr("config.breaker.time.sleep", pauses.append)
    monkeypatch.setattr(breaker.log, "warning", lambda _words: ended.set())
    circuit = Breaker(lambda _address, _seconds: next(answers))
    circuit.check("dsn", since=0.0)
    assert ended.wait(20)
    assert pauses == [breaker.RECONNECT_PAUSE] * 2
    assert not circuit.is_open


def test_a_child_process_begins_with_a_closed_one(database):
    circuit = Breaker(database.ping)
    circuit.check("dsn", since=0.0)
    circuit.reset()
    assert not circuit.is_open


def test_a_breaker_that_nobody_would_close_stays_closed(database, monkeypatch):
    def refuse(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("config.breaker.threading.Thread.start", refuse)
    circuit = Breaker(database.ping)
    with pytest.raises(RuntimeError):
        circuit.check("dsn", since=0.0)
    assert not circuit.is_open
