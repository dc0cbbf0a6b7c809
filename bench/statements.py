"""Statements of the database by `pg_stat_statements`, where the server has it.

It is loaded but counts nothing until a measurement asks for it, so that the other rows do not pay
for it. Statements that triggers and foreign keys run inside the database are counted apart.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg2
from psycopg2.extensions import connection

from tools.postgres import Server

LIBRARY = "pg_stat_statements"
SETTINGS = (f"shared_preload_libraries={LIBRARY}",)
COUNT = """
    SELECT coalesce(sum(calls) FILTER (WHERE toplevel), 0),
           coalesce(sum(calls) FILTER (WHERE NOT toplevel), 0),
           coalesce(sum(total_plan_time), 0),
           coalesce(sum(total_exec_time) FILTER (WHERE toplevel), 0)
    FROM pg_stat_statements
"""


@dataclass(frozen=True)
class Statements:
    """What the database was asked; all figures an attempt, times in milliseconds."""

    sent: float
    nested: float
    """Statements of triggers and foreign keys."""
    planning_ms: float
    execution_ms: float


class Counter:
    """Filled when the block of `counted` has ended."""

    totals: tuple[float, float, float, float] | None = None

    def divide(self, attempts: int) -> Statements:
        """Return what was counted, an attempt."""
        if self.totals is None or not attempts:
            raise ValueError("nothing was counted")
        return Statements(*(total / attempts for total in self.totals))


def is_available(binaries: Path | None) -> bool:
    """Return whether the PostgreSQL of these binaries brings the library."""
    return binaries is not None and any(
        (binaries.parent / "lib" / folder / f"{LIBRARY}.so").exists()
        for folder in ("", "postgresql")
    )


def prepare(server: Server) -> None:
    """Let a server that was started with SETTINGS count nothing yet."""
    with closing(psycopg2.connect(server.url)) as database:
        database.autocommit = True
        _run(database, f"CREATE EXTENSION {LIBRARY}")
        _switch(database, "none", planning="off")


@contextmanager
def counted(server: Server) -> Iterator[Counter]:
    """Count what is sent to the server in the block."""
    counter = Counter()
    with closing(psycopg2.connect(server.url)) as database:
        database.autocommit = True
        _switch(database, "all", planning="on")
        _run(database, f"SELECT {LIBRARY}_reset()")
        try:
            yield counter
            with database.cursor() as cursor:
                cursor.execute(COUNT)
                counter.totals = tuple(map(float, cursor.fetchone() or ()))  # type: ignore[assignment]  # four columns
        finally:
            _switch(database, "none", planning="off")


def _switch(database: connection, track: str, *, planning: str) -> None:
    _run(database, f"ALTER SYSTEM SET {LIBRARY}.track = '{track}'")
    _run(database, f"ALTER SYSTEM SET {LIBRARY}.track_planning = '{planning}'")
    _run(database, "SELECT pg_reload_conf()")


def _run(database: connection, statement: str) -> None:
    with database.cursor() as cursor:
        cursor.execute(statement)
