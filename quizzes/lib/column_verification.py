"""Columns that hold what their field never writes, which reading the rows does not show.

SQLite stores any number or text in a column of true or false and reads it as false, so the digest
of the row agrees where false was written. A row that names one that is not there is left out by
every join. Both are signs of a damaged file, or of somebody who wrote past the constraints.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import BooleanField, CharField, Exists, ForeignKey, Model, OuterRef, QuerySet
from django.db.models.functions import Cast

from quizzes.lib.record_difference import Differences, RecordDifference

_TRUE_OR_FALSE = ("0", "1", "false", "true")
"""What the two databases write of a column of true or false that is cast to a text."""


def verify_columns(models: Iterable[type[Model]]) -> Iterator[Differences]:
    """Yield an empty tuple for each column that is looked at, and what is wrong, row by row."""
    for model in models:
        for field in model._meta.concrete_fields:
            column = field.attname
            stored = model._base_manager.annotate(stored_text=Cast(column, CharField()))
            stored = stored.filter(stored_text__isnull=False)
            if isinstance(field, BooleanField):
                wrong = stored.exclude(stored_text__in=_TRUE_OR_FALSE)
                yield ()
                yield from _name_rows(wrong, column, "true or false")
            elif isinstance(field, ForeignKey):
                related: Any = field.related_model
                named = related._base_manager.filter(**{field.target_field.name: OuterRef(column)})
                yield ()
                yield from _name_rows(stored.filter(~Exists(named)), column, "a row that is there")


def _name_rows(rows: QuerySet[Any], column: str, expected: str) -> Iterator[Differences]:
    for pk, text in rows.order_by("pk").values_list("pk", "stored_text").iterator():
        row = f"{rows.model._meta.verbose_name} row {pk}"
        yield (RecordDifference(row, column, text, expected),)
