"""Counts SQL statements, without those that only frame a transaction."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

FRAMES = ("SAVEPOINT", "RELEASE", "ROLLBACK TO", "BEGIN", "COMMIT", "ROLLBACK")
EXECUTED = re.compile(r'EXECUTE "(\w+)"')
# Django asks SQLite, once a process, whether it knows JSON.
ASKED_ONCE = """SELECT JSON('{"a": "b"}')"""

Counted = Callable[[], AbstractContextManager[list[str]]]


@contextmanager
def statements() -> Iterator[list[str]]:
    """Yield a list that holds, after the block, the statements that did something.

    One that the server had prepared stands there as its text, with $1, $2 … for its values.
    """
    statements: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield statements
    sent = [
        query["sql"]
        for query in captured.captured_queries
        if not query["sql"].upper().startswith(FRAMES) and query["sql"] != ASKED_ONCE
    ]
    texts = _list_prepared_texts() if any(EXECUTED.match(sql) for sql in sent) else {}
    for sql in sent:
        executed = EXECUTED.match(sql)
        statements.append(texts.get(executed[1], sql) if executed else sql)


def _list_prepared_texts() -> dict[str, str]:
    """Return what this connection of PostgreSQL has prepared, by name (ADR 66)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, statement FROM pg_prepared_statements")
        return {name: statement.partition(" AS ")[2] for name, statement in cursor.fetchall()}


@pytest.fixture
def counted() -> Counted:
    """`with counted() as made: …`, then `len(made)`; a failing test shows the statements."""
    return statements
