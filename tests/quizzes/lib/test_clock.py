"""The database's clock decides; between two readings of it nobody's but the steady one counts."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from quizzes.lib import clock, steady_clock

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
STEPS = pytest.mark.parametrize("hours", [-1, 1], ids=["back", "forward"])


@pytest.fixture(autouse=True)
def _no_reading(monkeypatch):
    monkeypatch.setattr(clock, "_readings", {})
    monkeypatch.setattr(clock, "FRESH", 60.0)
    monkeypatch.setattr(clock, "SLOW", 1.0)


class Seconds:
    """The steady clock of a machine, moved by hand."""

    def __init__(self):
        self.now = 500.0

    def __call__(self):
        return self.now


@pytest.fixture
def seconds(monkeypatch):
    steady = Seconds()
    monkeypatch.setattr(steady_clock, "seconds", steady)
    return steady


@pytest.fixture
def server(monkeypatch, seconds):
    """A database whose clock shows AT at second 500, and how often it was asked."""
    calls = []

    class Cursor:
        latency = 0.0

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def execute(self, sql):
            calls.append(sql)

        def fetchone(self):
            answer = (AT + timedelta(seconds=seconds.now - 500), None)
            seconds.now += self.latency
            return answer

    monkeypatch.setattr(connection, "vendor", "postgresql")
    monkeypatch.setattr(connection, "cursor", Cursor)
    calls.append(Cursor)
    return calls


@STEPS
def test_the_clock_of_an_embedded_site_is_that_of_its_start(monkeypatch, hours):
    monkeypatch.setattr(connection, "vendor", "sqlite")
    before = clock.now()
    assert abs(before - timezone.now()) < timedelta(seconds=1)
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        assert abs(timezone.now() - before - timedelta(hours=hours)) < timedelta(seconds=1)
        assert timedelta(0) <= clock.now() - before < timedelta(seconds=1)


def test_a_servers_clock_decides_and_is_asked_once_a_minute(server, seconds):
    assert clock.now() == AT
    seconds.now += 59
    assert clock.now() == AT + timedelta(seconds=59)
    assert len(server) == 2
    seconds.now += 1
    assert clock.now() == AT + timedelta(seconds=60)
    assert len(server) == 3


@STEPS
def test_setting_the_machines_clock_moves_nothing_and_asks_nothing(server, seconds, hours):
    clock.now()
    seconds.now += 30
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        assert clock.now() == AT + timedelta(seconds=30)
    assert len(server) == 2


def test_an_answer_that_took_long_is_not_kept(server, seconds):
    server[0].latency = 2.0
    assert clock.now() == AT
    server[0].latency = 0.0
    assert clock.now() == AT + timedelta(seconds=2)


@pytest.mark.django_db
def test_the_real_database_agrees_within_a_second():
    assert abs(clock.now() - timezone.now()) < timedelta(seconds=1)
    assert clock.now().tzinfo is not None
    now, rest = clock.read_now_with("1, NULL")
    assert abs(now - timezone.now()) < timedelta(seconds=1)
    assert rest == (1, None)
