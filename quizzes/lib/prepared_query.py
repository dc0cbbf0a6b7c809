"""Queries whose SQL is compiled once; each call only binds values.

For small reads Django's ORM takes several times as long to write the SQL as the database to answer
it. A prepared query is an ordinary queryset, compiled once for each kind of database with
placeholders for the values that change; each call binds real values into the compiled SQL. On
PostgreSQL the server parses it once a connection, too (`quizzes.lib.server_statements`). Only for
the busiest reads: the form of such a query must not depend on its values (no None, and lists by
`in_list` alone). ADR 9 tells what this rests on.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler
from psycopg2.extensions import AsIs

from quizzes.lib.array_lookup import ListField
from quizzes.lib.model_reader import ModelReader, TupleReader, build_reader
from quizzes.lib.server_statements import ServerStatement

Row = TypeVar("Row")

# Values that nobody uses, so that they are recognised among the parameters of the SQL.
_NUMBER = 7_391_550_217
_PLACEHOLDERS: "dict[type[models.Field[Any, Any]], Callable[[int], Any]]" = {
    models.UUIDField: lambda n: uuid.UUID(int=2**127 + _NUMBER + n),
    models.BigIntegerField: lambda n: _NUMBER + n,
    models.PositiveIntegerField: lambda n: 1_391_550_217 + n,
    models.DateTimeField: lambda n: dt.datetime(1871, 3, 14, 15, 9, n, tzinfo=dt.UTC),
    models.CharField: lambda n: f"\x1a placeholder {n}",
}


def _build_placeholder(field: "models.Field[Any, Any]", number: int) -> Any:
    if isinstance(field, ListField):
        return [_build_placeholder(field.base_field, number)]
    return _PLACEHOLDERS[type(field)](number)


@dataclass(frozen=True, slots=True)
class _Parameter:
    """The position of a value among the arguments of the query."""

    index: int


@dataclass(frozen=True, slots=True)
class _CompiledQuery(Generic[Row]):
    """A query compiled for one kind of database; `template` has a _Parameter for each value."""

    queryset: "models.QuerySet[Any, Row]"
    compiler: SQLCompiler
    sql: str
    template: tuple[Any, ...]
    server_statement: ServerStatement | None
    reader: ModelReader | TupleReader | None
    converters: list[Any] = field(default_factory=list)
    """What the columns are converted by, once a row was read."""

    def get_converters(self, expressions: list[Any]) -> Any:
        """Return what the columns are converted by, which are the same each time."""
        if not self.converters:
            self.converters.append(self.compiler.get_converters(expressions))
        return self.converters[0]

    def bind(
        self, values: Sequence[Any], connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        """Return the SQL that reads the rows with these values, and its parameters."""
        if self.server_statement and self.server_statement.prepare(connection):
            return self.server_statement.execute_sql, tuple(values)
        return self.sql, tuple(
            values[param.index] if isinstance(param, _Parameter) else param
            for param in self.template
        )


class PreparedQuery(Generic[Row]):
    """A query with parameters: `PreparedQuery(build, UUIDField(), …)`, then `all(value, …)`.

    `build` is called with one placeholder for each field and returns a queryset, which must use all
    of them; else the first call raises ValueError.
    """

    def __init__(
        self,
        build: Callable[..., "models.QuerySet[Any, Row]"],
        *fields: "models.Field[Any, Any]",
    ) -> None:
        self._build = build
        self._fields = fields
        self._compiled: dict[str, _CompiledQuery[Row]] = {}

    def all(self, *values: Any) -> list[Row]:
        """Return the rows of the query with these values for its parameters, in order."""
        connection = connections[DEFAULT_DB_ALIAS]
        query = self._load(connection)
        sql, params = query.bind(self._bind(values, connection), connection)
        if connection.vendor == "postgresql" and query.reader is not None:
            return query.reader.read(connection, sql, params)
        return list(_with_sql(query, connection, sql, params))

    def first(self, *values: Any) -> Row | None:
        """Return the first row; None if there is none."""
        return next(iter(self.all(*values)), None)

    def _load(self, connection: BaseDatabaseWrapper) -> _CompiledQuery[Row]:
        if connection.vendor not in self._compiled:
            self._compiled[connection.vendor] = self._compile(connection)
        return self._compiled[connection.vendor]

    def _bind(self, values: Sequence[Any], connection: BaseDatabaseWrapper) -> list[Any]:
        return [
            field.get_db_prep_value(value, connection)
            for field, value in zip(self._fields, values, strict=True)
        ]

    def _write(
        self, placeholders: Sequence[Any], connection: BaseDatabaseWrapper
    ) -> "tuple[models.QuerySet[Any, Row], SQLCompiler]":
        """Return the query with these values, and what writes its SQL."""
        queryset = self._build(*placeholders)
        return queryset, queryset.query.get_compiler(connection=connection)

    def _compile(self, connection: BaseDatabaseWrapper) -> _CompiledQuery[Row]:
        placeholders = [_build_placeholder(field, n) for n, field in enumerate(self._fields)]
        queryset, compiler = self._write(placeholders, connection)
        sql, params = compiler.as_sql()
        bound = self._bind(placeholders, connection)
        template = tuple(
            _Parameter(bound.index(param)) if param in bound else param for param in params
        )
        indexes = {param.index for param in template if isinstance(param, _Parameter)}
        if indexes != set(range(len(bound))):
            raise ValueError("a prepared query must use every value it is given")
        return _CompiledQuery(
            queryset,
            compiler,
            sql,
            template,
            self._build_server_statement(queryset, sql, template, connection),
            build_reader(queryset, compiler),
        )

    def _build_server_statement(
        self,
        queryset: "models.QuerySet[Any, Row]",
        sql: str,
        template: tuple[Any, ...],
        connection: BaseDatabaseWrapper,
    ) -> ServerStatement | None:
        if connection.vendor != "postgresql" or not self._fields:
            return None
        return ServerStatement.build(
            label=queryset.model._meta.db_table,
            sql=sql,
            params=[
                AsIs(f"${param.index + 1}") if isinstance(param, _Parameter) else param
                for param in template
            ],
            types=[str(field.db_type(connection)) for field in self._fields],
        )


class PreparedUpdate(PreparedQuery[Any]):
    """An update with parameters: `build` returns rows, and what their columns are set to."""

    def __init__(
        self,
        build: "Callable[..., tuple[models.QuerySet[Any, Any], Mapping[str, Any]]]",
        *fields: "models.Field[Any, Any]",
    ) -> None:
        super().__init__(lambda *values: build(*values)[0], *fields)
        self._build_both = build

    def update(self, *values: Any) -> int:
        """Update the rows with these values for the parameters; return how many there were."""
        connection = connections[DEFAULT_DB_ALIAS]
        sql, params = self._load(connection).bind(self._bind(values, connection), connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            return int(cursor.rowcount)

    def _write(
        self, placeholders: Sequence[Any], connection: BaseDatabaseWrapper
    ) -> "tuple[models.QuerySet[Any, Any], SQLCompiler]":
        queryset, columns = self._build_both(*placeholders)
        query: Any = queryset.query.chain(UpdateQuery)
        query.add_update_values(columns)
        return queryset, query.get_compiler(connection=connection)


def _with_sql(
    query: _CompiledQuery[Row], connection: BaseDatabaseWrapper, sql: str, params: tuple[Any, ...]
) -> "models.QuerySet[Any, Row]":
    """Return a queryset that reads its rows as always, but runs this SQL."""
    compiler: Any = copy(query.compiler)
    compiler.connection = connection  # each thread has its own
    compiler.as_sql = lambda *_, **__: (sql, params)
    if connection.vendor == "postgresql":
        # Of SQLite they belong to a connection.
        compiler.get_converters = query.get_converters
    orm_query: Any = copy(query.queryset.query)
    orm_query.get_compiler = lambda *_, **__: compiler
    # A copy by the queryset itself copies its query, too, which is replaced here.
    filled: Any = object.__new__(type(query.queryset))
    vars(filled).update(vars(query.queryset), _query=orm_query, _result_cache=None)
    return filled  # type: ignore[no-any-return]  # a queryset, seen from behind
