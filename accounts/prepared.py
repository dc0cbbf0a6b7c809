"""Queries that are written once and then only filled in.

For small reads Django's ORM takes several times as long to write the SQL as the database to answer
it. A prepared query is an ordinary queryset, built once a kind of database with stand-ins for the
values that change; each call binds real ones into the SQL that came out. For the busiest reads
alone: the shape of such a query must not depend on its values (no None, no lists).

It lives in the lowest layer that has a database; it knows nothing of people (ADR 9).
"""

import datetime as dt
import uuid
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")

# Values that nobody uses, so that they can be found again among the parameters of the SQL.
_NUMBER = 7_391_550_217
_STAND_INS: "dict[type[models.Field[Any, Any]], Callable[[int], Any]]" = {
    models.UUIDField: lambda n: uuid.UUID(int=2**127 + _NUMBER + n),
    models.BigIntegerField: lambda n: _NUMBER + n,
    models.PositiveIntegerField: lambda n: 1_391_550_217 + n,
    models.DateTimeField: lambda n: dt.datetime(1871, 3, 14, 15, 9, n, tzinfo=dt.UTC),
    models.CharField: lambda n: f"\x1a stand-in {n}",
}


@dataclass(frozen=True, slots=True)
class _Blank:
    """The place of a value."""

    index: int


@dataclass(frozen=True, slots=True)
class _CompiledQuery(Generic[Row]):
    """A query as one kind of database wants it: its SQL, with blanks among the parameters."""

    queryset: "models.QuerySet[Any, Row]"
    compiler: SQLCompiler
    sql: str
    template: tuple[Any, ...]


class Prepared(Generic[Row]):
    """A query with blanks: `Prepared(build, UUIDField(), …)`, then `find(value, …)`.

    `build` is called with one stand-in a field and gives a queryset, which must use each of them;
    else ValueError at the first call.
    """

    def __init__(
        self,
        build: Callable[..., "models.QuerySet[Any, Row]"],
        *fields: "models.Field[Any, Any]",
    ) -> None:
        self._build = build
        self._fields = fields
        self._compiled: dict[str, _CompiledQuery[Row]] = {}

    def find(self, *values: Any) -> list[Row]:
        """Run the query with these values in the blanks, in order."""
        connection = connections[DEFAULT_DB_ALIAS]
        if connection.vendor not in self._compiled:
            self._compiled[connection.vendor] = self._make(connection)
        query = self._compiled[connection.vendor]
        bound = self._bind(values, connection)
        params = [
            bound[param.index] if isinstance(param, _Blank) else param for param in query.template
        ]
        return list(_with_parameters(query, connection, tuple(params)))

    def first(self, *values: Any) -> Row | None:
        """Return the first row; None if there is none."""
        return next(iter(self.find(*values)), None)

    def _bind(self, values: Sequence[Any], connection: BaseDatabaseWrapper) -> list[Any]:
        return [
            field.get_db_prep_value(value, connection)
            for field, value in zip(self._fields, values, strict=True)
        ]

    def _make(self, connection: BaseDatabaseWrapper) -> _CompiledQuery[Row]:
        stand_ins = [_STAND_INS[type(field)](n) for n, field in enumerate(self._fields)]
        queryset = self._build(*stand_ins)
        compiler = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        bound = self._bind(stand_ins, connection)
        template = tuple(
            _Blank(bound.index(param)) if param in bound else param for param in params
        )
        indexes = {param.index for param in template if isinstance(param, _Blank)}
        if indexes != set(range(len(bound))):
            raise ValueError("a prepared query must use every value it is given")
        return _CompiledQuery(queryset, compiler, sql, template)


def _with_parameters(
    query: _CompiledQuery[Row], connection: BaseDatabaseWrapper, params: tuple[Any, ...]
) -> "models.QuerySet[Any, Row]":
    """Return a queryset that reads its rows as always, but runs the compiled SQL."""
    compiler: Any = copy(query.compiler)
    compiler.connection = connection  # each thread has its own
    compiler.as_sql = lambda *_, **__: (query.sql, params)
    orm_query: Any = copy(query.queryset.query)
    orm_query.get_compiler = lambda *_, **__: compiler
    filled: Any = query.queryset.all()  # `copy` would evaluate it first
    filled._query = orm_query
    return filled  # type: ignore[no-any-return]  # a queryset, seen from behind
