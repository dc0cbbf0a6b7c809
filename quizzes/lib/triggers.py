"""Triggers by which the database itself keeps frozen rows as they are, and the rows of a learner.

The triggers that number changes (change_numbers.py) are installed with them.

A migration installs them (results 0002), and every `migrate` again: SQLite drops a table's triggers
when a migration rebuilds it, and nobody would notice. Nor can it rename a rebuilt table while a
trigger of another one names it, so on SQLite they go before migrating.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import AppConfig, apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from quizzes.lib.change_numbers import NumberingTrigger

REFUSE_FUNCTION = """
CREATE OR REPLACE FUNCTION ochenta_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% refused: rows of % never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$
"""

LEARNER_FUNCTION = """
CREATE OR REPLACE FUNCTION ochenta_learner_of_{parent}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM {parent} WHERE {same}) THEN
    RAISE EXCEPTION '% refused: rows of % have the learner of {parent}', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$
"""

OTHER_LEARNER = "NOT EXISTS (SELECT 1 FROM {parent} WHERE {same})"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger that refuses an operation: always, or where `condition` holds.

    With a `parent` it refuses a row whose learner is not that of the row it refers to by `column`.
    """

    name: str
    table: str
    event: str
    condition: str = ""
    parent: str = ""
    column: str = ""

    @property
    def same_learner(self) -> str:
        """The condition under which a row of the parent is the one, and has the same learner."""
        return f"id = NEW.{self.column} AND learner_id = NEW.learner_id"

    def postgresql(self) -> Iterator[str]:
        """Yield the statements that create it, and the function it calls, on PostgreSQL."""
        function = f"ochenta_learner_of_{self.parent}" if self.parent else "ochenta_refuse"
        yield (
            LEARNER_FUNCTION.format(parent=self.parent, same=self.same_learner)
            if self.parent
            else REFUSE_FUNCTION
        )
        when = f" WHEN ({self.condition})" if self.condition else ""
        each = "STATEMENT" if self.event == "TRUNCATE" else "ROW"
        yield (
            f"CREATE OR REPLACE TRIGGER {self.name} BEFORE {self.event} ON {self.table}"
            f" FOR EACH {each}{when} EXECUTE FUNCTION {function}()"
        )

    def sqlite(self) -> Iterator[str]:
        """Yield the statement that creates it on SQLite, which has no TRUNCATE."""
        if self.event == "TRUNCATE":
            return
        operation = self.event.partition(" ")[0]
        condition, rule = self.condition, "never change"
        if self.parent:
            condition = OTHER_LEARNER.format(parent=self.parent, same=self.same_learner)
            rule = f"have the learner of {self.parent}"
        when = f" WHEN {condition}" if condition else ""
        yield (
            f"CREATE TRIGGER IF NOT EXISTS {self.name} BEFORE {self.event} ON {self.table}{when}"
            f" BEGIN SELECT RAISE(ABORT, '{operation} refused: rows of {self.table} {rule}'); END"
        )


def list_triggers(app: AppConfig | None = None) -> list[Trigger | NumberingTrigger]:
    """Return the triggers of one app, or of all."""
    models = (app or apps).get_models()
    return sorted(
        (trigger for model in models for trigger in _triggers(model)),
        key=lambda trigger: trigger.name,
    )


def _triggers(model: type[Model]) -> Iterator[Trigger | NumberingTrigger]:
    # By attributes, not by class: this module is imported before any model may be.
    table = model._meta.db_table
    if hasattr(model, "change_number"):
        yield from (NumberingTrigger(table, event) for event in ("INSERT", "UPDATE"))
    denied = getattr(model, "denied_operations", ())
    for operation in denied:
        yield Trigger(f"{table}_no_{operation.lower()}", table, operation)
    learner_from = getattr(model, "learner_from", None)
    if learner_from == "":  # its own: the other rows follow it, so it stays
        changed = "OLD.learner_id <> NEW.learner_id"
        yield Trigger(f"{table}_learner_update", table, "UPDATE OF learner_id", changed)
    elif learner_from:
        field: Any = model._meta.get_field(learner_from)
        parent, column = field.related_model._meta.db_table, field.column
        for operation, event in (
            ("INSERT", "INSERT"),
            ("UPDATE", f"UPDATE OF learner_id, {column}"),
        ):
            if operation not in denied:
                name = f"{table}_learner_{operation.lower()}"
                yield Trigger(name, table, event, parent=parent, column=column)


def install_triggers(
    connection: BaseDatabaseWrapper, triggers: Iterable[Trigger | NumberingTrigger] | None = None
) -> None:
    """Create these triggers, or all, on the tables that exist."""
    present = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for trigger in triggers or list_triggers():
            if trigger.table in present:
                for statement in getattr(trigger, connection.vendor)():
                    cursor.execute(statement)


def drop_triggers(
    connection: BaseDatabaseWrapper, triggers: Iterable[Trigger | NumberingTrigger] | None = None
) -> None:
    """Drop these triggers, or all: before SQLite rebuilds tables, or tests empty them."""
    with connection.cursor() as cursor:
        for trigger in triggers or list_triggers():
            where = f" ON {trigger.table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}{where}")


def before_migrate(sender: AppConfig, using: str, **_: Any) -> None:
    """Drop the triggers of an app on SQLite; Django sends the signal for each app with models."""
    if connections[using].vendor == "sqlite" and (triggers := list_triggers(sender)):
        drop_triggers(connections[using], triggers)


def after_migrate(sender: AppConfig, using: str, **_: Any) -> None:
    """Install the triggers of an app."""
    if triggers := list_triggers(sender):
        install_triggers(connections[using], triggers)
