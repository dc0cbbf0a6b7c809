"""Counts SQL statements, without those that only frame a transaction."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

FRAMES = ("SAVEPOINT", "RELEASE", "ROLLBACK TO", "BEGIN", "COMMIT", "ROLLBACK")
# Django asks SQLite, once a process, whether it knows JSON.
ASKED_ONCE = """SELECT JSON('{"a": "b"}')"""

Counted = Callable[[], AbstractContextManager[list[str]]]


@contextmanager
def statements() -> Iterator[list[str]]:
    """Yield a list that holds, after the block, the statements that did something."""
    statements: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield statements
    statements += [
        query["sql"]
        for query in captured.captured_queries
        if not query["sql"].upper().startswith(FRAMES) and query["sql"] != ASKED_ONCE
    ]


@pytest.fixture
def counted() -> Counted:
    """`with counted() as made: …`, then `len(made)`; a failing test shows the statements."""
    return statements
