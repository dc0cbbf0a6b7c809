"""Rows that are written the same way all day: the SQL is written once, and planned once.

Django's ORM writes the SQL of each INSERT and UPDATE anew. These write it once for each kind of
database, let PostgreSQL prepare it once a connection (`quizzes.lib.server_statements`), and bind
values through the fields of the model, as Django does: triggers, constraints and what the fields
check on their way to the database are the same. Signals are not sent. ADR 75.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.psycopg_any import Jsonb
from django.db.models.base import ModelState
from django.db.transaction import TransactionManagementError
from psycopg2.extensions import AsIs, Binary

from quizzes.lib.base_models import BigIntegerTextField
from quizzes.lib.model_reader import is_plain
from quizzes.lib.server_statements import ServerStatement

ModelRow = TypeVar("ModelRow", bound=models.Model)


def write_array(values: Sequence[Any]) -> str:
    """Return the values as PostgreSQL writes an array: a constant, which it reads at once.

    psycopg2 writes ARRAY[…], an expression of each value, which takes the server half as long
    again. What it cannot write: TypeError.
    """
    return (
        "{" + ",".join([_WRITERS.get(type(value), _write_other)(value) for value in values]) + "}"
    )


def _quote(text: str) -> str:
    # Three to seven times as fast as `translate`: JSON is full of quotes.
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _write_other(value: Any) -> str:
    if isinstance(value, str):  # a choice of a field
        return _quote(str(value))
    raise TypeError(f"{type(value)} is no element of an array")


_WRITERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "NULL",
    bool: lambda value: "t" if value else "f",
    int: str,
    str: _quote,
    UUID: str,
    datetime: lambda value: f'"{value.isoformat()}"',
    Jsonb: lambda value: _quote(value.dumps(value.adapted)),
    Binary: lambda value: _quote("\\x" + bytes(value.adapted).hex()),
}


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
        """Run it with these values, after what waits to be sent with it."""
        sql = self._name_or_write(connection)
        if (waiting := _waiting.get()) is None:
            cursor.execute(sql, values)
        else:
            waiting.add(sql, values)
            waiting.send(cursor)

    def run(self, values: Sequence[Any], connection: BaseDatabaseWrapper) -> None:
        """Run it with these values, or have it wait for the next: nobody needs its answer."""
        if (waiting := _waiting.get()) is not None:
            waiting.add(self._name_or_write(connection), values)
            return
        with connection.cursor() as cursor:
            self.execute(cursor, values, connection)

    def _name_or_write(self, connection: BaseDatabaseWrapper) -> str:
        """Return the SQL that runs it: by its name where the server has prepared it."""
        server_statement = self.server_statement
        is_prepared = server_statement is not None and server_statement.prepare(connection)
        return server_statement.execute_sql if is_prepared and server_statement else self.sql


class _WaitingWrites:
    """Statements of a transaction that are sent with the next one."""

    def __init__(self) -> None:
        self._sqls: list[str] = []
        self._values: list[Any] = []

    def add(self, sql: str, values: Sequence[Any]) -> None:
        self._sqls.append(sql)
        self._values.extend(values)

    def send(self, cursor: Any) -> None:
        """Send all in one message; the answer is that of the last."""
        if self._sqls:
            sql, values = "; ".join(self._sqls), self._values
            self._sqls, self._values = [], []
            cursor.execute(sql, values)

    def send_first(
        self,
        execute: Callable[..., Any],
        sql: str,
        params: Any,
        many: bool,
        context: dict[str, Any],
    ) -> Any:
        """Run another statement after those that wait."""
        if self._sqls:
            with context["connection"].cursor() as cursor:
                self.send(cursor)
        return execute(sql, params, many, context)


_waiting: ContextVar[_WaitingWrites | None] = ContextVar("waiting", default=None)


@contextmanager
def sent_together() -> Iterator[None]:
    """Send prepared writes of the block together, as far as nobody needs their answer.

    PostgreSQL runs them one after the other, as it would have; each other statement comes after
    those before it. Only within a transaction, which a refusal ends, whichever of them it is.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql" or _waiting.get() is not None:
        yield
        return
    if not connection.in_atomic_block:
        raise TransactionManagementError("writes are sent together within a transaction")
    waiting = _WaitingWrites()
    token = _waiting.set(waiting)
    try:
        with connection.execute_wrapper(waiting.send_first):
            yield
            with connection.cursor() as cursor:
                waiting.send(cursor)
    finally:
        _waiting.reset(token)


_MISSING: Final = object()
_PLAIN_TYPES: Final[dict[type[Any], type]] = {
    models.BigIntegerField: int,
    models.IntegerField: int,
    models.PositiveIntegerField: int,
    models.PositiveSmallIntegerField: int,
    models.SmallIntegerField: int,
    models.CharField: str,
    models.TextField: str,
    models.BooleanField: bool,
    models.UUIDField: UUID,
}
"""Which values Django's own fields hand to psycopg2 as they are."""


def _find_plain_type(field: Any) -> type | None:
    """Return it for a field of exactly these classes, or a key to such a one; else None."""
    if type(field) in {models.ForeignKey, models.OneToOneField}:
        target = field.target_field
        return int if type(target) in {models.BigAutoField, models.AutoField} else None
    return _PLAIN_TYPES.get(type(field))


def _read_choice(value: Any) -> Any:
    return value.value if isinstance(value, models.TextChoices) else _MISSING


def _wrap_json(value: Any) -> Any:
    return Jsonb(value) if type(value) in {dict, list} else _MISSING


def _read_moment(value: Any) -> Any:
    """Return a time with its zone; what has none is for the field to decide."""
    return value if type(value) is datetime and value.tzinfo is not None else _MISSING


def _wrap_bytes(value: Any) -> Any:
    return Binary(value) if type(value) in {bytes, memoryview} else _MISSING


def _write_integer(value: Any) -> Any:
    return str(value) if type(value) is int else _MISSING


_CONVERTERS: Final[dict[type[Any], Callable[[Any], Any]]] = {
    models.CharField: _read_choice,
    models.JSONField: _wrap_json,
    models.DateTimeField: _read_moment,
    models.BinaryField: _wrap_bytes,
    BigIntegerTextField: _write_integer,
}
"""What Django's own fields, and ours, do with the values that nearly all rows have; for others they
return _MISSING, and the field is asked."""


def _find_converter(field: Any) -> Callable[[Any], Any] | None:
    """Return it for a field of exactly these classes that does no more than its class."""
    if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
        return None
    if getattr(field, "encoder", None):
        return None
    return _CONVERTERS.get(type(field))


def _prepare_value(field: Any, row: models.Model, connection: BaseDatabaseWrapper) -> Any:
    return field.get_db_prep_save(field.pre_save(row, add=True), connection)


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
        self._unless_there: dict[str, _Statement] = {}

    def build(self, **columns: Any) -> ModelRow:
        """Return a new row, not inserted yet, with these columns and the defaults of the others.

        As the model itself does it, but that a key is given by its column: `attempt_id`.
        """
        if self._defaults is None:
            return self._model(**columns)
        constants, makers = self._defaults
        row: ModelRow = self._model.__new__(self._model)
        vars(row).update(
            _state=ModelState(),
            **constants,
            **{name: make() for name, make in makers if name not in columns},
        )
        vars(row).update(columns)
        return row

    @cached_property
    def _defaults(self) -> "tuple[dict[str, Any], list[tuple[str, Callable[[], Any]]]] | None":
        """Return constant defaults and what makes the others; None: only the model knows."""
        fields = self._model._meta.concrete_fields
        if not is_plain(self._model, [field.attname for field in fields]) or any(
            field.db_default is not models.NOT_PROVIDED for field in fields
        ):
            return None
        constants: dict[str, Any] = {}
        makers: list[tuple[str, Callable[[], Any]]] = []
        for field in fields:
            if field.has_default() and callable(field.default):
                makers.append((field.attname, field.default))
            else:
                constants[field.attname] = field.get_default()
        return constants, makers

    def insert(self, row: ModelRow) -> ModelRow:
        """Insert a new row, give it its id and return it."""
        connection = connections[DEFAULT_DB_ALIAS]
        statement = self._load_single(connection)
        with connection.cursor() as cursor:
            statement.execute(cursor, self._list_values(row, connection), connection)
            (row.pk,) = cursor.fetchone()
        _note_saved(row, connection)
        return row

    def add(self, row: ModelRow) -> None:
        """Insert a new row whose id nobody needs; it has none where it is sent with others."""
        if _waiting.get() is None:
            self.insert(row)
            return
        connection = connections[DEFAULT_DB_ALIAS]
        self._load_single(connection).run(self._list_values(row, connection), connection)
        _note_saved(row, connection)

    def insert_unless_there(self, row: ModelRow) -> bool:
        """Insert a row and give it its id, unless one like it is there; return whether it was new.

        Another transaction that is inserting one is waited for.
        """
        connection = connections[DEFAULT_DB_ALIAS]
        statement = self._unless_there.get(connection.vendor)
        if statement is None:
            statement = self._build_single(connection, "ON CONFLICT DO NOTHING ")
            self._unless_there[connection.vendor] = statement
        with connection.cursor() as cursor:
            statement.execute(cursor, self._list_values(row, connection), connection)
            inserted = cursor.fetchone()
        if inserted is None:
            return False
        (row.pk,) = inserted
        _note_saved(row, connection)
        return True

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
        statement.run([write_array(column) for column in columns], connection)
        for row in rows:
            _note_saved(row, connection)

    @cached_property
    def _fields(self) -> list[Any]:
        return [field for field in self._model._meta.concrete_fields if not field.primary_key]

    @cached_property
    def _plain_fields(self) -> "list[tuple[Any, str, type | None, Callable[[Any], Any] | None]]":
        """Return each field, where its value is, which type is ready, and what readies others."""
        return [
            (field, field.attname, _find_plain_type(field), _find_converter(field))
            for field in self._fields
        ]

    def _list_values(self, row: ModelRow, connection: BaseDatabaseWrapper) -> list[Any]:
        if connection.vendor != "postgresql":
            return [_prepare_value(field, row, connection) for field in self._fields]
        values = vars(row)
        return [
            value
            # A deferred column, or another type than usual, is for the field to decide.
            if plain and (type(value := values.get(name, _MISSING)) is plain or value is None)
            else converted
            if convert and (converted := convert(values.get(name))) is not _MISSING
            else _prepare_value(field, row, connection)
            for field, name, plain, convert in self._plain_fields
        ]

    def _name_columns(self) -> tuple[str, str]:
        """Return the table, and its columns, as SQL names them."""
        columns = ", ".join(f'"{field.column}"' for field in self._fields)
        return f'"{self._model._meta.db_table}"', columns

    def _load_single(self, connection: BaseDatabaseWrapper) -> _Statement:
        statement = self._single.get(connection.vendor)
        if statement is None:
            statement = self._single[connection.vendor] = self._build_single(connection)
        return statement

    def _build_single(self, connection: BaseDatabaseWrapper, unless: str = "") -> _Statement:
        table, columns = self._name_columns()
        marks = ", ".join(["%s"] * len(self._fields))
        sql = f'INSERT INTO {table} ({columns}) VALUES ({marks}) {unless}RETURNING "id"'  # noqa: S608  names of our models
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
        statement.run(values, connection)

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
