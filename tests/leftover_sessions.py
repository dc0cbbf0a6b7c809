"""Sessions of PostgreSQL that tests left open: nobody may drop a database that has one."""

from typing import Any

import pytest
from django.db import connection

END = """
    SELECT pg_terminate_backend(pid), query FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'
"""

leftovers: list[str] = []
"""The last statement of each session that was left open, of all workers: told at the end."""


def end_leftover_sessions() -> list[str]:
    """End the other sessions of the test's database; return the last statement of each."""
    with connection.cursor() as cursor:
        cursor.execute(END)
        return [query for _, query in cursor.fetchall()]


@pytest.fixture(scope="session")
def django_db_setup(request, django_db_setup, django_db_blocker):
    """Drop the database at the end, whoever is still connected.

    A thread of the live server keeps its connection as long as a browser keeps its socket.
    """
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            leftovers.extend(end_leftover_sessions())
    if hasattr(request.config, "workeroutput"):
        request.config.workeroutput["leftover_sessions"] = leftovers


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker of xdist found."""
    leftovers.extend(getattr(node, "workeroutput", {}).get("leftover_sessions", []))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left open."""
    for statement in leftovers:
        line = f"A session was left open; its last statement: {statement}"
        terminalreporter.write_line(line, yellow=True)
