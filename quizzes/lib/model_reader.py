"""Rows of a compiled query into objects of a model, as Django's ModelIterable does, or into tuples.

Django works out anew at each read which column goes where, and wraps the rows in four iterators;
that takes as long as to read a row. Here it is worked out once. ADR 79.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import getattr_static
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import signals
from django.db.models.base import ModelState
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute
from django.db.models.query import ModelIterable, ValuesListIterable, get_related_populators
from django.db.models.query_utils import DeferredAttribute
from django.db.models.sql.compiler import SQLCompiler


@dataclass(frozen=True, slots=True)
class TupleReader:
    """Reads the rows of `values_list`, of unions, too; converters: of its kind of database."""

    converters: Any
    compiler: SQLCompiler

    def read(self, connection: BaseDatabaseWrapper, sql: str, params: Sequence[Any]) -> list[Any]:
        """Run the SQL and return a tuple for each row."""
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            rows: Any = cursor.fetchall()
        if self.converters and rows:
            rows = map(tuple, self.compiler.apply_converters(rows, self.converters))
        return [*rows]


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Where the columns of a query go; converters are those of its kind of database."""

    model: type[models.Model]
    names: Sequence[str]
    columns: slice
    annotations: Mapping[str, int]
    populators: Sequence[Any]
    converters: Any
    compiler: SQLCompiler
    is_plain: bool
    """Whether nothing happens when Django makes such an object but that it gets its columns."""

    @classmethod
    def build(cls, queryset: Any, compiler: Any) -> "ModelReader | None":
        """Return what reads this query; None: it gives no objects, or is not as simple as that."""
        described = compiler.klass_info
        if (
            queryset._iterable_class is not ModelIterable
            or queryset._prefetch_related_lookups
            or queryset._known_related_objects
            or queryset.query.combinator
            or not described
        ):
            return None
        places = described["select_fields"]
        columns = slice(places[0], places[-1] + 1)
        select = compiler.select
        names = [column[0].target.attname for column in select[columns]]
        populate: Any = get_related_populators  # the types are those of a later Django
        return cls(
            model=described["model"],
            names=names,
            columns=columns,
            annotations=compiler.annotation_col_map or {},
            populators=populate(described, select, queryset.db),
            converters=compiler.get_converters([column[0] for column in select]),
            compiler=compiler,
            is_plain=is_plain(described["model"], names),
        )

    def read(self, connection: BaseDatabaseWrapper, sql: str, params: Sequence[Any]) -> list[Any]:
        """Run the SQL and return an object for each row."""
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            rows: Any = cursor.fetchall()
        if self.converters and rows:
            rows = self.compiler.apply_converters(rows, self.converters)
        return [self._build_object(row, connection.alias) for row in rows]

    def _build_object(self, row: Sequence[Any], alias: str) -> models.Model:
        built = (
            self._fill_object(row, alias)
            if self.is_plain
            else self.model.from_db(alias, self.names, row[self.columns])
        )
        for populator in self.populators:
            populator.populate(row, built)
        for name, place in self.annotations.items():
            setattr(built, name, row[place])
        return built

    def _fill_object(self, row: Sequence[Any], alias: str) -> models.Model:
        built: models.Model = self.model.__new__(self.model)
        state = ModelState()
        state.adding, state.db = False, alias
        columns = vars(built)
        columns["_state"] = state
        columns.update(zip(self.names, row[self.columns], strict=True))
        return built


def build_reader(queryset: Any, compiler: Any) -> ModelReader | TupleReader | None:
    """Return what reads this query; None where Django has to."""
    if queryset._iterable_class is ValuesListIterable:
        select = [column[0] for column in compiler.select[: compiler.col_count]]
        return TupleReader(compiler.get_converters(select), compiler)
    return ModelReader.build(queryset, compiler)


def is_plain(model: type[models.Model], names: Sequence[str]) -> bool:
    """Return whether the columns of a row, put in place, are all that Django's own object is."""
    listeners = (signals.pre_init, signals.post_init)
    return (
        getattr_static(model, "from_db") is getattr_static(models.Model, "from_db")
        and model.__init__ is models.Model.__init__
        and model.__new__ is object.__new__
        and not any(signal.has_listeners(model) for signal in listeners)
        and all(
            type(getattr_static(model, name)) in {DeferredAttribute, ForeignKeyDeferredAttribute}
            for name in names
        )
    )
