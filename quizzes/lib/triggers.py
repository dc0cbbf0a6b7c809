"""Triggers by which the database itself refuses what may never become of a row (ADR 3, 27).

Frozen rows stay as they are, the rows of a learner together, and each model has its own rules.

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
CREATE OR REPLACE FUNCTION {schema}ochenta_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% refused: %', TG_OP, TG_ARGV[0]
    USING ERRCODE = 'integrity_constraint_violation';
END $$
"""

STATEMENT_FUNCTION = """
CREATE OR REPLACE FUNCTION {schema}{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM added WHERE {condition}) THEN
    RAISE EXCEPTION '% refused: %', TG_OP, TG_ARGV[0]
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$
"""

RULE_FUNCTION = """
CREATE OR REPLACE FUNCTION {schema}{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF {condition} THEN
    RAISE EXCEPTION '% refused: %', TG_OP, TG_ARGV[0]
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD; -- NEW is null then, by which nothing would be deleted
  END IF;
  RETURN NEW;
END $$
"""

OTHER_LEARNER = "NOT EXISTS (SELECT 1 FROM {schema}{parent} WHERE {same})"
SQLITE_OPERATORS = {"IS NOT DISTINCT FROM": "IS", "IS DISTINCT FROM": "IS NOT"}
"""What SQLite calls them before 3.39."""


@dataclass(frozen=True, slots=True)
class RowRule:
    """What the database refuses to write into a table: some events, where a condition holds.

    A model has them in `row_rules`. The condition is SQL over OLD and NEW that both databases
    understand, with `{schema}` before the name of a table: on PostgreSQL nobody can put a temporary
    table in its place. The sentence says what holds of the rows.
    """

    name: str
    events: tuple[str, ...]
    refused_if: str
    sentence: str
    table: str = ""
    """Another table than the model's, of a lower layer, which cannot name the tables in it."""
    only_if: str = ""
    """A condition without SELECT that must hold, too: PostgreSQL asks it before any function."""
    inserted_together: bool = False
    """Whether the rows of one INSERT are asked about together, after it, where that can be."""


def changed(*columns: str) -> str:
    """Return the condition that an update changes one of these columns."""
    return "(" + " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in columns) + ")"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger that refuses an operation: always, or where `condition` holds."""

    name: str
    table: str
    event: str
    condition: str = ""
    sentence: str = ""
    only_if: str = ""
    inserted_together: bool = False

    def postgresql(self, schema: str) -> Iterator[str]:
        """Yield the statements that create it, and the function it calls, on PostgreSQL."""
        condition, function, when = self.condition.format(schema=schema), "ochenta_refuse", ""
        if self.inserted_together:
            yield from self._postgresql_by_statement(schema, condition)
            return
        if "SELECT" in condition:  # which WHEN does not allow
            function = f"{self.name}_refused"
            yield RULE_FUNCTION.format(schema=schema, name=function, condition=condition)
            when = f" WHEN ({self.only_if})" if self.only_if else ""
        else:
            yield REFUSE_FUNCTION.format(schema=schema)
            conditions = " AND ".join(f"({part})" for part in (self.only_if, condition) if part)
            when = f" WHEN ({conditions})" if conditions else ""
        each = "STATEMENT" if self.event == "TRUNCATE" else "ROW"
        yield (
            f"CREATE OR REPLACE TRIGGER {self.name} BEFORE {self.event} ON {schema}{self.table}"
            f" FOR EACH {each}{when} EXECUTE FUNCTION {schema}{function}({self._quoted('')})"
        )

    def _postgresql_by_statement(self, schema: str, condition: str) -> Iterator[str]:
        """Yield the statements of a trigger that asks about all rows of a statement at once."""
        function = f"{self.name}_refused"
        of_added = f"{self.only_if or 'TRUE'} AND ({condition})".replace("NEW.", "added.")
        yield STATEMENT_FUNCTION.format(schema=schema, name=function, condition=of_added)
        yield (
            f"CREATE OR REPLACE TRIGGER {self.name} AFTER {self.event} ON {schema}{self.table}"
            " REFERENCING NEW TABLE AS added FOR EACH STATEMENT"
            f" EXECUTE FUNCTION {schema}{function}({self._quoted('')})"
        )

    def sqlite(self, _schema: str) -> Iterator[str]:
        """Yield the statement that creates it on SQLite, which has no TRUNCATE."""
        if self.event == "TRUNCATE":
            return
        condition = self.condition.format(schema="")
        if self.only_if:
            condition = f"({self.only_if}) AND ({condition})"
        for operator, name in SQLITE_OPERATORS.items():
            condition = condition.replace(operator, name)
        when = f" WHEN {condition}" if condition else ""
        operation = self.event.partition(" ")[0]
        yield (
            f"CREATE TRIGGER IF NOT EXISTS {self.name} BEFORE {self.event} ON {self.table}{when}"
            f" BEGIN SELECT RAISE(ABORT, {self._quoted(f'{operation} refused: ')}); END"
        )

    def _quoted(self, prefix: str) -> str:
        return "'" + f"{prefix}{self.sentence}".replace("'", "''") + "'"


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
        columns = tuple(str(field.column) for field in model._meta.concrete_fields)
        others = tuple(column for column in columns if column != "change_number")
        yield from (NumberingTrigger(table, event, others) for event in ("INSERT", "UPDATE"))
    denied = getattr(model, "denied_operations", ())
    for operation in denied:
        verb = "change" if "UPDATE" in denied else "go"
        name = f"{table}_no_{operation.lower()}"
        condition = _erasure_condition(model) if operation == "UPDATE" else ""
        yield Trigger(name, table, operation, condition, f"rows of {table} never {verb}")
    for rule in (*_learner_rules(model), *getattr(model, "row_rules", ())):
        for event in rule.events:
            operation = event.partition(" ")[0]
            if operation not in denied:
                of = rule.table or table
                yield Trigger(
                    f"{of}_{rule.name}_{operation.lower()}",
                    *(of, event, rule.refused_if, rule.sentence, rule.only_if),
                    inserted_together=rule.inserted_together and event == "INSERT",
                )


def _learner_rules(model: type[Model]) -> Iterator[RowRule]:
    """Yield what keeps a row with its learner: that of the row it belongs to (ADR 18)."""
    table, learner_from = model._meta.db_table, getattr(model, "learner_from", None)
    if learner_from == "":  # its own: the other rows follow it, so it stays
        sentence = f"rows of {table} keep their learner"
        yield RowRule("learner", ("UPDATE OF learner_id",), changed("learner_id"), sentence)
    elif learner_from:
        field: Any = model._meta.get_field(learner_from)
        parent, column = field.related_model._meta.db_table, field.column
        same = f"id = NEW.{column} AND learner_id = NEW.learner_id"
        inserted = ("INSERT",) if getattr(model, "has_learner_rule_on_insert", True) else ()
        yield RowRule(
            "learner",
            (*inserted, f"UPDATE OF learner_id, {column}"),
            OTHER_LEARNER.format(schema="{schema}", parent=parent, same=same),
            f"rows of {table} have the learner of {parent}",
        )


def _column(model: type[Model], name: str) -> str:
    field: Any = model._meta.get_field(name)
    column: str = field.column
    return column


def _erasure_condition(model: type[Model]) -> str:
    """Return when an update of an append-only row is refused: always, or unless it erases."""
    erasable = getattr(model, "erasable_fields", {})
    erasing = [_erasing_condition(model, name, emptied) for name, emptied in erasable.items()]
    return f"NOT ({' OR '.join(erasing)})" if erasing else ""


def _erasing_condition(model: type[Model], erasure: str, emptied_fields: tuple[str, ...]) -> str:
    """Return that an update empties these fields, names the erasure, and changes nothing else.

    Once: the erasure is the first one. What else must hold, the model has in `erasable_if`.
    """
    named = _column(model, erasure)
    emptied = {
        _column(model, name): "IS NULL" if model._meta.get_field(name).null else "= ''"
        for name in emptied_fields
    }
    unchanged = [
        field.column
        for field in model._meta.concrete_fields
        if field.column not in {*emptied, named}
    ]
    terms = [
        f"OLD.{named} IS NULL",
        f"NEW.{named} IS NOT NULL",
        *(f"NEW.{column} {is_empty}" for column, is_empty in sorted(emptied.items())),
        *(f"NEW.{column} IS NOT DISTINCT FROM OLD.{column}" for column in unchanged),
        *getattr(model, "erasable_if", ()),
    ]
    return f"({' AND '.join(terms)})"


def install_triggers(
    connection: BaseDatabaseWrapper, triggers: Iterable[Trigger | NumberingTrigger] | None = None
) -> None:
    """Create these triggers, or all, on the tables that exist."""
    present = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        schema = ""
        if connection.vendor == "postgresql":
            cursor.execute("SELECT quote_ident(current_schema()) || '.'")
            (schema,) = cursor.fetchone()
        for trigger in triggers or list_triggers():
            if trigger.table in present:
                for statement in getattr(trigger, connection.vendor)(schema):
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
