"""Numbers of changes: by them programs follow rows that change, and miss none (ADR 24).

The database numbers every insert and update of the rows of a `ChangeNumberedModel`. Numbers are
drawn before they are committed, so a lower one may become visible after a higher one. On
PostgreSQL each transaction that draws numbers therefore first holds a shared lock on the next
number there is: all its numbers are at least that. Below the lowest number on which another
transaction holds a lock, nothing can appear any more. SQLite has one writer at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db import connection

# 20291, the upper 16 bits of these advisory locks, tells them apart from all others.
_POSTGRESQL: Final = (
    "CREATE SEQUENCE IF NOT EXISTS ochenta_change_number",
    """
CREATE OR REPLACE FUNCTION ochenta_number_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('ochenta.numbers_changes', true), '') = '' THEN
    PERFORM pg_advisory_xact_lock_shared((20291::bigint << 48) | next_number)
      FROM (SELECT last_value + is_called::int AS next_number FROM ochenta_change_number) AS s;
    PERFORM set_config('ochenta.numbers_changes', 'yes', true);
  END IF;
  NEW.change_number := nextval('ochenta_change_number');
  RETURN NEW;
END $$
""",
    # Two statements, in this order: who takes a lock between them draws numbers above the first.
    """
CREATE OR REPLACE FUNCTION ochenta_change_horizon(OUT next_number bigint, OUT horizon bigint)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT last_value + is_called::int INTO next_number FROM ochenta_change_number;
  SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) INTO horizon FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = 20291
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND pid <> pg_backend_pid();
  horizon := least(next_number, horizon);
END $$
""",
)
_SQLITE: Final = (
    "CREATE TABLE IF NOT EXISTS ochenta_change_number (id integer PRIMARY KEY, last integer)",
    "INSERT OR IGNORE INTO ochenta_change_number VALUES (1, 0)",
)
_SQLITE_STEPS: Final = (
    "UPDATE ochenta_change_number SET last = last + 1; UPDATE {table} SET change_number ="
    " (SELECT last FROM ochenta_change_number) WHERE id = NEW.id;"
)


@dataclass(frozen=True, slots=True)
class NumberingTrigger:
    """A trigger that numbers the inserts or the updates of a table, by its other columns."""

    table: str
    event: str
    columns: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the trigger in the database."""
        return f"{self.table}_number_{self.event.lower()}"

    def postgresql(self, _schema: str) -> Iterator[str]:
        """Yield the statements that create it, and what it needs, on PostgreSQL."""
        yield from _POSTGRESQL
        yield (
            f"CREATE OR REPLACE TRIGGER {self.name} BEFORE {self.event} ON {self.table}"
            " FOR EACH ROW EXECUTE FUNCTION ochenta_number_change()"
        )

    def sqlite(self, _schema: str) -> Iterator[str]:
        """Yield the statements that create it, and what it needs, on SQLite."""
        yield from _SQLITE
        # Of those columns alone: the update in it would call it again, where triggers recurse.
        of = f" OF {', '.join(self.columns)}" if self.event == "UPDATE" else ""
        yield (
            f"CREATE TRIGGER IF NOT EXISTS {self.name} AFTER {self.event}{of} ON {self.table}"
            f" BEGIN {_SQLITE_STEPS.format(table=self.table)} END"
        )


@dataclass(frozen=True, slots=True)
class ChangeHorizon:
    """The next number that will be drawn, and the one below which all changes are visible."""

    next_number: int
    horizon: int


def read_horizon() -> ChangeHorizon:
    """Return up to where changes can be read without missing any; one query.

    Read it before the rows, in a statement of its own: what is visible then is still visible later.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT next_number, horizon FROM ochenta_change_horizon()"
            if connection.vendor == "postgresql"
            else "SELECT last + 1, last + 1 FROM ochenta_change_number"
        )
        return ChangeHorizon(*cursor.fetchone())
