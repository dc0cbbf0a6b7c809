"""The database's clock decides, and is asked once a minute."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from quizzes.lib import clock

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _forget():
    clock._measured.clear()
    yield
    clock._measured.clear()


@pytest.fixture
def server(monkeypatch):
    """A database whose clock is three seconds ahead, and how often it was asked."""
    calls = []

    class Cursor:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def execute(self, sql):
            calls.append(sql)

        def fetchone(self):
            return (timezone.now() + timedelta(seconds=3),)

    monkeypatch.setattr(connection, "vendor", "postgresql")
    monkeypatch.setattr(connection, "cursor", Cursor)
    return calls


def test_an_embedded_database_has_the_machines_time(monkeypatch):
    monkeypatch.setattr(connection, "vendor", "sqlite")
    with time_machine.travel(AT, tick=False):
        assert clock.now() == AT


def test_a_servers_clock_decides_and_is_asked_once(server):
    with time_machine.travel(AT, tick=False) as travel:
        assert clock.now() == AT + timedelta(seconds=3)
        travel.shift(59)
        assert clock.now() == AT + timedelta(seconds=62)
    assert len(server) == 1


def test_the_distance_is_measured_again_after_a_minute(server):
    with time_machine.travel(AT, tick=False) as travel:
        clock.now()
        travel.shift(60)
        clock.now()
    assert len(server) == 2


def test_a_machine_whose_clock_was_put_back_measures_again(server):
    with time_machine.travel(AT, tick=False) as travel:
        clock.now()
        travel.shift(-30)
        assert clock.now() == AT + timedelta(seconds=-27)
    assert len(server) == 2


@pytest.mark.django_db
def test_the_real_database_agrees_within_a_second():
    assert abs(clock.now() - timezone.now()) < timedelta(seconds=1)
    assert clock.now().tzinfo is not None
