"""Rows that are written the same way all day: the SQL is written once, and planned once.

Django's ORM writes the SQL of each INSERT and UPDATE anew. These write it once for each kind of
database, let PostgreSQL prepare it once a connection (`quizzes.lib.server_statements`), and bind
values through the fields of the model, as Django does: triggers, constraints and what the fields
check on their way to the database are the same. Signals are not sent. ADR 75.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg2.extensions import AsIs

from quizzes.lib.server_statements import ServerStatement

ModelRow = TypeVar("ModelRow", bound=models.Model)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of one kind of database; %s stands for each value."""

    sql: str
    server_statement: ServerStatement | None

    @classmethod
    def build(
        cls, connection: BaseDatabaseWrapper, label: str, sql: str, types: Sequence[str]
    ) -> "_Statement":
        """Return it, to be prepared where the server is PostgreSQL."""
        if connection.vendor != "postgresql":
            return cls(sql, None)
        params = [AsIs(f"${number}") for number in range(1, len(types) + 1)]
        return cls(sql, ServerStatement.build(label=label, sql=sql, params=params, types=types))

    def execute(self, cursor: Any, values: Sequence[Any], connection: BaseDatabaseWrapper) -> None:
        """Run it with these values."""
        server_statement = self.server_statement
        is_prepared = server_statement is not None and server_statement.prepare(connection)
        sql = server_statement.execute_sql if is_prepared and server_statement else self.sql
        cursor.execute(sql, values)


def _list_types(fields: Sequence[Any], connection: BaseDatabaseWrapper) -> list[str]:
    """Return their types without a length: a cast would cut what is longer, the column refuses."""
    return [re.sub(r"\(\d+\)", "", field.db_type(connection)) for field in fields]


class PreparedInsert(Generic[ModelRow]):
    """Inserts rows of one model: `insert(row)`, which has its id after it, or `insert_all(rows)`.

    The model numbers its rows itself and has no parents.
    """

    def __init__(self, model: type[ModelRow]) -> None:
        self._model = model
        self._single: dict[str, _Statement] = {}
        self._many: dict[str, _Statement] = {}

    def insert(self, row: ModelRow) -> ModelRow:
        """Insert a new row, give it its id and return it."""
        connection = connections[DEFAULT_DB_ALIAS]
        statement = self._single.get(connection.vendor)
        if statement is None:
            statement = self._single[connection.vendor] = self._build_single(connection)
        with connection.cursor() as cursor:
            statement.execute(cursor, self._list_values(row, connection), connection)
            (row.pk,) = cursor.fetchone()
        _note_saved(row, connection)
        return row

    def insert_all(self, rows: Sequence[ModelRow]) -> None:
        """Insert rows in one statement; on PostgreSQL one is prepared for any number of them.

        They have no ids after it.
        """
        connection = connections[DEFAULT_DB_ALIAS]
        if connection.vendor != "postgresql" or not rows:
            self._model._default_manager.bulk_create(rows)
            return
        statement = self._many.get(connection.vendor)
        if statement is None:
            statement = self._many[connection.vendor] = self._build_many(connection)
        columns = zip(*(self._list_values(row, connection) for row in rows), strict=True)
        with connection.cursor() as cursor:
            statement.execute(cursor, [list(column) for column in columns], connection)
        for row in rows:
            _note_saved(row, connection)

    @cached_property
    def _fields(self) -> list[Any]:
        return [field for field in self._model._meta.concrete_fields if not field.primary_key]

    def _list_values(self, row: ModelRow, connection: BaseDatabaseWrapper) -> list[Any]:
        return [
            field.get_db_prep_save(field.pre_save(row, add=True), connection)
            for field in self._fields
        ]

    def _name_columns(self) -> tuple[str, str]:
        """Return the table, and its columns, as SQL names them."""
        columns = ", ".join(f'"{field.column}"' for field in self._fields)
        return f'"{self._model._meta.db_table}"', columns

    def _build_single(self, connection: BaseDatabaseWrapper) -> _Statement:
        table, columns = self._name_columns()
        marks = ", ".join(["%s"] * len(self._fields))
        sql = f'INSERT INTO {table} ({columns}) VALUES ({marks}) RETURNING "id"'  # noqa: S608  names of our models
        label, types = self._model._meta.db_table, _list_types(self._fields, connection)
        return _Statement.build(connection, label, sql, types)

    def _build_many(self, connection: BaseDatabaseWrapper) -> _Statement:
        table, columns = self._name_columns()
        types = [f"{type_}[]" for type_ in _list_types(self._fields, connection)]
        marks = ", ".join(f"%s::{type_}" for type_ in types)
        sql = f"INSERT INTO {table} ({columns}) SELECT * FROM unnest({marks})"  # noqa: S608  names of our models
        return _Statement.build(connection, self._model._meta.db_table, sql, types)


class PreparedRowUpdate(Generic[ModelRow]):
    """Updates columns of one row by its id: `PreparedRowUpdate(Model, "state", …).update(row)`."""

    def __init__(self, model: type[ModelRow], *columns: str) -> None:
        self._model = model
        self._columns = columns
        self._statements: dict[str, _Statement] = {}

    def update(self, row: ModelRow) -> None:
        """Write what the columns of this row hold."""
        connection = connections[DEFAULT_DB_ALIAS]
        statement = self._statements.get(connection.vendor)
        if statement is None:
            statement = self._statements[connection.vendor] = self._build(connection)
        values = [
            *(
                field.get_db_prep_save(getattr(row, field.attname), connection)
                for field in self._fields
            ),
            row.pk,
        ]
        with connection.cursor() as cursor:
            statement.execute(cursor, values, connection)

    @cached_property
    def _fields(self) -> list[Any]:
        return [self._model._meta.get_field(column) for column in self._columns]

    def _build(self, connection: BaseDatabaseWrapper) -> _Statement:
        table = self._model._meta.db_table
        assigned = ", ".join(f'"{field.column}" = %s' for field in self._fields)
        sql = f'UPDATE "{table}" SET {assigned} WHERE "id" = %s'  # noqa: S608  names of our models
        return _Statement.build(
            connection, table, sql, [*_list_types(self._fields, connection), "bigint"]
        )


def _note_saved(row: models.Model, connection: BaseDatabaseWrapper) -> None:
    row._state.adding, row._state.db = False, connection.alias
