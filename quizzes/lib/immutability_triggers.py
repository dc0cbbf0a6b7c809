"""Triggers by which the database itself refuses to change frozen and appended rows.

They are installed after every `migrate`, not by single migrations: SQLite drops a table's triggers
when a migration rebuilds it, and nobody would notice.
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


def denied_operations(app: AppConfig | None = None) -> tuple[tuple[str, str], ...]:
    """Return the tables with a trigger, of one app or of all, each with the denied operation."""
    # By an attribute, not by class: this module is imported before any model may be.
    models = (app or apps).get_models()
    return tuple(
        sorted(
            (model._meta.db_table, operation)
            for model in models
            for operation in getattr(model, "denied_operations", ())
        )
    )


def trigger_name(table: str, operation: str) -> str:
    """Return the name of the trigger of one table for one operation."""
    return f"{table}_no_{operation.lower()}"


def install_triggers(
    connection: BaseDatabaseWrapper, denied: Iterable[tuple[str, str]] | None = None
) -> None:
    """Create these triggers, or all, on the tables that exist."""
    present = set(connection.introspection.table_names())
    triggers = [
        (table, operation) for table, operation in denied or denied_operations() if table in present
    ]
    statements = _postgresql(triggers) if connection.vendor == "postgresql" else _sqlite(triggers)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def drop_triggers(connection: BaseDatabaseWrapper) -> None:
    """Drop all triggers: only for emptying a test database."""
    with connection.cursor() as cursor:
        for table, operation in denied_operations():
            where = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {trigger_name(table, operation)}{where}")


def _postgresql(triggers: list[tuple[str, str]]) -> list[str]:
    return [FUNCTION] + [
        f"CREATE OR REPLACE TRIGGER {trigger_name(table, operation)} BEFORE {operation} ON {table}"
        " FOR EACH ROW EXECUTE FUNCTION ochenta_refuse()"
        for table, operation in triggers
    ]


def _sqlite(triggers: list[tuple[str, str]]) -> list[str]:
    return [
        f"CREATE TRIGGER IF NOT EXISTS {trigger_name(table, operation)}"
        f" BEFORE {operation} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{operation} refused: rows of {table} never change'); END"
        for table, operation in triggers
    ]


def after_migrate(sender: AppConfig, using: str, **_: Any) -> None:
    """Install the triggers of an app; Django sends the signal for each app with models."""
    if denied := denied_operations(sender):
        install_triggers(connections[using], denied)
