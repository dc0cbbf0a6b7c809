"""A session that a test leaves open keeps its database neither from being dropped nor emptied."""

from collections.abc import Callable

import psycopg2
import pytest
from django.db import OperationalError, connection
from psycopg2.errors import DeadlockDetected, UndefinedTable

from tests import leftover_sessions
from tests.leftover_sessions import FLUSH_TRIES, end_leftover_sessions, flush_in_turn


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_session_that_was_left_open_is_ended_and_named():
    leftover = psycopg2.connect(**connection.get_connection_params())
    with leftover.cursor() as cursor:
        cursor.execute("SELECT 'left open'")
    with connection.cursor() as cursor:
        statements = end_leftover_sessions(cursor, connection.settings_dict["NAME"])
    assert "SELECT 'left open'" in statements
    with pytest.raises(psycopg2.OperationalError), leftover.cursor() as cursor:
        cursor.execute("SELECT 1")
    leftover.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def fail(times: int, cause: Exception, tries: list[int]) -> None:
    tries.append(times)
    if len(tries) <= times:
        raise OperationalError from cause


def test_tables_are_emptied_again_after_a_deadlock_and_after_nothing_else():
    tries: list[int] = []
    flush_in_turn(lambda: fail(2, DeadlockDetected(), tries))
    assert len(tries) == 3
    for cause, most in ((UndefinedTable(), 1), (DeadlockDetected(), FLUSH_TRIES)):
        tries.clear()
        with pytest.raises(OperationalError):
            flush_in_turn(lambda: fail(99, cause, tries))  # noqa: B023  called at once
        assert len(tries) == most


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_tables_of_tests_are_emptied_so(monkeypatch):
    calls: list[Callable[[], None]] = []
    monkeypatch.setattr(leftover_sessions, "flush_in_turn", calls.append)
    connection.ops.execute_sql_flush(["SELECT 1"])
    (flush,) = calls
    flush()
