"""Columns of true or false that hold something else: SQLite stores any number or text in one.

Such a column is read as false, so the digest of its row agrees where false was written. PostgreSQL
stores nothing but true, false and NULL: there nothing is ever found.
"""

from collections.abc import Iterable, Iterator

from django.db.models import BooleanField, CharField, Model
from django.db.models.functions import Cast

from quizzes.lib.record_difference import Differences, RecordDifference

_TEXTS = ("0", "1", "false", "true")
"""What the two databases write of a column of true or false that is cast to a text."""


def verify_boolean_columns(models: Iterable[type[Model]]) -> Iterator[Differences]:
    """Yield nothing for each column in which each row is true, false or empty; else its rows."""
    for model in models:
        for field in model._meta.concrete_fields:
            if isinstance(field, BooleanField):
                yield from _verify_column(model, field.attname)


def _verify_column(model: type[Model], column: str) -> Iterator[Differences]:
    stored = model._base_manager.annotate(stored_text=Cast(column, CharField()))
    wrong = stored.filter(stored_text__isnull=False).exclude(stored_text__in=_TEXTS)
    yield ()
    for pk, text in wrong.values_list("pk", "stored_text").order_by("pk").iterator():
        row = f"{model._meta.verbose_name} row {pk}"
        yield (RecordDifference(row, column, text, "true or false"),)
