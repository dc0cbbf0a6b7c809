"""Sessions of PostgreSQL that tests left open: who drops or empties a database meets them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.postgresql.creation import DatabaseCreation
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg2.errors import DeadlockDetected

FLUSH_TRIES = 5

END = """
    SELECT pg_terminate_backend(pid), query FROM pg_stat_activity
    WHERE datname = %s AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""

leftovers: list[str] = []
"""The last statement of each session that was left open, of all workers: told at the end."""


def end_leftover_sessions(cursor: Any, database: str) -> list[str]:
    """End the other sessions of a database; return the last statement of each."""
    cursor.execute(END, [database])
    return [query for _, query in cursor.fetchall()]


Creation: Any = DatabaseCreation
_destroy = Creation._destroy_test_db


def _destroy_whoever_is_connected(creation: Any, test_database_name: str, verbosity: int) -> None:
    """Drop the database of the tests at the end, whoever is still connected.

    Connections belong to a context, and a browser's tests run in several; and a thread of the live
    server keeps its connection as long as a browser keeps its socket.
    """
    with creation._nodb_cursor() as cursor:
        leftovers.extend(end_leftover_sessions(cursor, test_database_name))
    _destroy(creation, test_database_name, verbosity)


Creation._destroy_test_db = _destroy_whoever_is_connected

Operations: Any = DatabaseOperations
_flush = Operations.execute_sql_flush


def flush_in_turn(flush: Callable[[], None]) -> None:
    """Empty the tables, again where a request that a page had sent was in the way (a deadlock)."""
    for _try in range(FLUSH_TRIES - 1):
        try:
            return flush()
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected):
                raise
    return flush()


Operations.execute_sql_flush = lambda self, sql_list: flush_in_turn(lambda: _flush(self, sql_list))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the leader of xdist what was left open here."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["leftover_sessions"] = leftovers


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker of xdist found."""
    leftovers.extend(getattr(node, "workeroutput", {}).get("leftover_sessions", []))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left open."""
    for statement in leftovers:
        line = f"A session was left open; its last statement: {statement}"
        terminalreporter.write_line(line, yellow=True)
