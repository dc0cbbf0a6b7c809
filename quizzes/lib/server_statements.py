"""Statements that PostgreSQL parses and plans once a connection: PREPARE and EXECUTE.

psycopg2 sends text, so the server would plan each call anew; for the small reads of an attempt that
takes it longer than the reading. Behind a pooler of transactions (`?pool_mode=transaction`), where
the next transaction has another session of the server, nothing is prepared. ADR 66.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from django.db.backends.base.base import BaseDatabaseWrapper

from quizzes.lib.connection_pooling import is_pooled

_numbers = itertools.count(1)
_prepared_names: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""For each connection of psycopg2 the names of what was prepared on it."""


@dataclass(frozen=True, slots=True)
class ServerStatement:
    """A statement for the server; its name is unique in this process."""

    name: str
    sql: str
    """With %s, also for the parameters of the statement."""
    params: tuple[Any, ...]
    """What stands for each %s: a constant, or `$1`, `$2` … as psycopg2's AsIs."""
    types: tuple[str, ...]
    execute_sql: str
    """The SQL that runs it, with a %s for each of `types`."""

    @classmethod
    def build(
        cls, *, label: str, sql: str, params: Sequence[Any], types: Sequence[str]
    ) -> "ServerStatement":
        """Return a statement whose name, which logs show, begins with `label`."""
        name = f"{label}_{next(_numbers)}"
        values = ", ".join(["%s"] * len(types))
        return cls(name, sql, tuple(params), tuple(types), f'EXECUTE "{name}" ({values})')

    def prepare(self, connection: BaseDatabaseWrapper) -> bool:
        """Prepare it unless this connection has it; return whether it can be run by its name."""
        if is_pooled(connection):
            return False
        # As Django does before a statement: what was prepared is gone with a lost connection.
        connection.close_if_health_check_failed()
        connection.ensure_connection()
        psycopg2_connection = connection.connection
        names = _prepared_names.setdefault(psycopg2_connection, set())
        if self.name not in names:
            # Not by Django's cursor: how many statements a page takes must not depend on whether
            # its connection is new.
            with connection.wrap_database_errors, psycopg2_connection.cursor() as cursor:
                cursor.execute(
                    f'PREPARE "{self.name}" ({", ".join(self.types)}) AS {self.sql}', self.params
                )
            names.add(self.name)
        return True
