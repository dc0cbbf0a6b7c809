"""Locks by name, for a transaction or without one: of any number of processes, one does a thing."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

from django.db import Error, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from quizzes.lib.connection_pooling import is_pooled


def try_advisory_lock(name: str) -> bool:
    """Lock this name until the transaction ends; return whether nobody else has it locked.

    SQLite has one writer at a time, whose transaction is locked when it begins.
    """
    if connection.vendor != "postgresql":
        return True
    return _select(connection, "pg_try_advisory_xact_lock", name)


def share_advisory_lock(name: str) -> None:
    """Lock this name until the transaction ends, together with others who share it.

    It waits for who has it alone; while it is shared, `try_advisory_lock` has it for nobody.
    """
    if connection.vendor == "postgresql":
        _select(connection, "pg_advisory_xact_lock_shared", name)


@contextmanager
def try_session_lock(database: BaseDatabaseWrapper, name: str) -> Iterator[bool]:
    """Lock this name for the block, where no transaction can last as long; yield whether it is.

    PostgreSQL alone. It never waits: a statement that waits has a snapshot, for whose end the
    concurrent build of an index would wait in turn. Behind a pooler of transactions, where the
    next statement may have another session, nothing is locked.
    """
    if is_pooled(database):
        yield True
        return
    is_locked = _select(database, "pg_try_advisory_lock", name)
    try:
        yield is_locked
    finally:
        if is_locked:
            with suppress(Error):  # a session that has ended has released it
                _select(database, "pg_advisory_unlock", name)


def _select(database: BaseDatabaseWrapper, function: str, name: str) -> bool:
    key = int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [key])
        return bool(cursor.fetchone()[0])
