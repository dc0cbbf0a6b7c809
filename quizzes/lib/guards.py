"""Triggers by which the database itself refuses to change frozen and appended rows.

They are laid after every `migrate`, not by single migrations: SQLite drops a table's triggers
when a migration rebuilds it, and a guard that silently went missing guards nothing.
"""

from collections.abc import Iterable
from typing import Any

from django.apps import AppConfig, apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

FUNCTION = """
CREATE OR REPLACE FUNCTION ochenta_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% refused: rows of % never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def refusals(app: AppConfig | None = None) -> tuple[tuple[str, str], ...]:
    """Name the tables whose rows are guarded, of one app or of all, each with what is refused."""
    # Known by an attribute, not by class: this module is read before any model may be.
    models = (app or apps).get_models()
    return tuple(
        sorted(
            (model._meta.db_table, event)
            for model in models
            for event in getattr(model, "refused", ())
        )
    )


def trigger(table: str, event: str) -> str:
    """Name the guard of one table against one event."""
    return f"{table}_no_{event.lower()}"


def lay(connection: BaseDatabaseWrapper, refused: Iterable[tuple[str, str]] | None = None) -> None:
    """Put these guards in place, or all, as far as there are such tables."""
    present = set(connection.introspection.table_names())
    guards = [(table, event) for table, event in refused or refusals() if table in present]
    statements = _postgresql(guards) if connection.vendor == "postgresql" else _sqlite(guards)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def lift(connection: BaseDatabaseWrapper) -> None:
    """Take every guard away: only for emptying a test database."""
    with connection.cursor() as cursor:
        for table, event in refusals():
            where = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {trigger(table, event)}{where}")


def _postgresql(guards: list[tuple[str, str]]) -> list[str]:
    return [FUNCTION] + [
        f"CREATE OR REPLACE TRIGGER {trigger(table, event)} BEFORE {event} ON {table}"
        " FOR EACH ROW EXECUTE FUNCTION ochenta_refuse()"
        for table, event in guards
    ]


def _sqlite(guards: list[tuple[str, str]]) -> list[str]:
    return [
        f"CREATE TRIGGER IF NOT EXISTS {trigger(table, event)} BEFORE {event} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{event} refused: rows of {table} never change'); END"
        for table, event in guards
    ]


def after_migrate(sender: AppConfig, using: str, **_: Any) -> None:
    """Guard the tables of an app: the signal comes for each one that has models, and no other."""
    if refused := refusals(sender):
        lay(connections[using], refused)
