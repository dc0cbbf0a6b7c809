"""How long a statement may take: jobs may ask for more than a page has."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import Error, connection

from quizzes.lib.connection_pooling import is_pooled


@contextmanager
def allow_long_statements() -> Iterator[None]:
    """Lift the time limit of this thread's statements in the block; begin no transaction before.

    Not behind a pooler of transactions, where it would be lifted from others' statements, too.
    """
    if connection.vendor != "postgresql" or is_pooled(connection):
        yield
        return
    _execute("SET statement_timeout = 0")
    try:
        yield
    finally:
        # A connection that broke meanwhile is replaced, and the new one has the usual limit.
        with suppress(Error):
            _execute("RESET statement_timeout")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
