"""Rows as only the owner of the tables could change them: what tests of damage begin with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from quizzes.lib import triggers


@contextmanager
def without_triggers() -> Iterator[None]:
    """Let the block write what the triggers would refuse; constraints still hold."""
    if connection.vendor == "postgresql":
        _set_replication_role("replica")
    else:
        triggers.drop_triggers(connection)
    try:
        with transaction.atomic():
            yield
    finally:
        if connection.vendor == "postgresql":
            _set_replication_role("origin")
        else:
            triggers.install_triggers(connection)


def _set_replication_role(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET session_replication_role = {role}")


@contextmanager
def without_constraints() -> Iterator[None]:
    """Let the block write what triggers and checks would refuse, and undo all of it at its end."""
    with without_triggers():
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                connection.check_constraints()  # none is pending, or nothing can be dropped
                cursor.execute(
                    "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I',"
                    " conrelid::regclass, conname)"
                    " FROM pg_constraint WHERE contype = 'c' AND conrelid > 0"
                    " AND connamespace = current_schema()::regnamespace"
                )
                for (statement,) in cursor.fetchall():
                    cursor.execute(statement)
            else:
                cursor.execute("PRAGMA ignore_check_constraints = ON")
        try:
            yield
        finally:
            transaction.set_rollback(True)
            if connection.vendor == "sqlite":
                connection.connection.execute("PRAGMA ignore_check_constraints = OFF")


def overwrite(rows: QuerySet[Any], **fields: Any) -> None:
    """Update rows against all triggers."""
    with without_triggers():
        rows.update(**fields)
