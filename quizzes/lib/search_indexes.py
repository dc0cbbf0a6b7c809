"""Indexes for searches by a part of a text, on PostgreSQL that brings `pg_trgm` (ADR 72).

A model names the columns in `searched_columns`. They are no part of migrations: a server without
the extension, or a role that may not create it, searches as before, by reading every row. Each
`migrate` builds what is missing or was broken off, while others write; of several at once, one. One
that cannot be built ends no `migrate`: the next one tries again.
"""

import logging
from collections.abc import Iterator
from typing import Any, Final

from django.apps import AppConfig
from django.db import Error, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

from quizzes.lib.advisory_lock import try_session_lock
from quizzes.lib.statements import allow_long_statements

log = logging.getLogger(__name__)

EXTENSION: Final = "pg_trgm"
LOCK: Final = "search_indexes"
IS_VALID: Final = """
    SELECT indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relname = %s AND pg_table_is_visible(pg_class.oid)
"""


def after_migrate(sender: AppConfig, using: str, **_: Any) -> None:
    """Build the indexes of an app that are missing."""
    connection = connections[using]
    columns = [pair for model in sender.get_models() for pair in _list_columns(model)]
    if connection.vendor == "postgresql" and columns:
        present = set(connection.introspection.table_names())
        with allow_long_statements(), try_session_lock(connection, LOCK) as is_locked:
            if not is_locked:
                log.warning("indexes for searches are left to another migrate, which builds them")
                return
            with connection.cursor() as cursor:
                if _has_extension(cursor, using):
                    for table, column in columns:
                        if table in present:
                            _build_or_log(connection, cursor, table, column)


def _list_columns(model: type[Model]) -> Iterator[tuple[str, str]]:
    for name in getattr(model, "searched_columns", ()):
        field: Any = model._meta.get_field(name)
        yield model._meta.db_table, field.column


def _has_extension(cursor: CursorWrapper, using: str) -> bool:
    """Return whether the extension is there, or could be created: owners of a database may."""
    cursor.execute("SELECT 1 FROM pg_extension WHERE extname = %s", [EXTENSION])
    if cursor.fetchone():
        return True
    cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = %s", [EXTENSION])
    if not cursor.fetchone():
        return False
    try:
        with transaction.atomic(using):
            cursor.execute(f"CREATE EXTENSION {EXTENSION}")
    except Error as error:
        log.warning("searches by a part of a name read every row: no %s: %s", EXTENSION, error)
        return False
    return True


def _build_or_log(
    connection: BaseDatabaseWrapper, cursor: CursorWrapper, table: str, column: str
) -> None:
    """Build an index that is missing; where that fails, searches go on without it."""
    try:
        _build_index(connection, cursor, table, column)
    except Error as error:
        if connection.in_atomic_block:  # which goes no further
            raise
        log.warning(
            "searches in %s.%s read every row until the next migrate: %s", table, column, error
        )


def _build_index(
    connection: BaseDatabaseWrapper, cursor: CursorWrapper, table: str, column: str
) -> None:
    """Build an index for `UPPER(…) LIKE UPPER('%…%')`, as Django writes `icontains`."""
    name = f"{table}_{column}_part"
    cursor.execute(IS_VALID, [name])
    row = cursor.fetchone()
    if row and row[0]:
        return
    online = "" if connection.in_atomic_block else "CONCURRENTLY"
    if row:  # it was broken off
        cursor.execute(f"DROP INDEX {online} {name}")
    cursor.execute(
        f'CREATE INDEX {online} {name} ON "{table}"'
        f' USING gin (UPPER("{column}"::text) gin_trgm_ops)'
    )
