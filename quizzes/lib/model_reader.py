"""Rows of a compiled query into objects of a model, as Django's ModelIterable does.

Django works out anew at each read which column goes where, and wraps the rows in four iterators;
that takes as long as to read a row. Here it is worked out once. ADR 79.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql.compiler import SQLCompiler


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
        populate: Any = get_related_populators  # the types are those of a later Django
        return cls(
            model=described["model"],
            names=[column[0].target.attname for column in select[columns]],
            columns=columns,
            annotations=compiler.annotation_col_map or {},
            populators=populate(described, select, queryset.db),
            converters=compiler.get_converters([column[0] for column in select]),
            compiler=compiler,
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
        built = self.model.from_db(alias, self.names, row[self.columns])
        for populator in self.populators:
            populator.populate(row, built)
        for name, place in self.annotations.items():
            setattr(built, name, row[place])
        return built
