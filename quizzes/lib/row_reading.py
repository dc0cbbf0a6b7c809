"""Reading rows for a verification: one that cannot be read is named and holds up no other."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from django.db import OperationalError
from django.db.models import Model, QuerySet

from quizzes.lib.record_difference import RecordDifference

CHUNK_SIZE = 200
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What reading a row raises if a column holds what its field never writes."""

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class UnreadableRow:
    """A row whose columns cannot be read, by its primary key, and why."""

    model: str
    pk: Any
    reason: str

    def to_difference(self) -> RecordDifference:
        """Return it as what a verification reports."""
        return RecordDifference(f"{self.model} row {self.pk}", "row", "unreadable", self.reason)


def describe_error(error: Exception) -> str:
    """Return an error of UNREADABLE as a difference says it."""
    return f"{type(error).__name__}: {error}"


def read_rows(rows: QuerySet[Row]) -> Iterator[Row | UnreadableRow]:
    """Yield rows in their order, in constant memory; what cannot be read as what it is."""
    keys = rows.values_list("pk", flat=True).iterator(CHUNK_SIZE)
    while chunk := list(islice(keys, CHUNK_SIZE)):
        try:
            readable = list(rows.filter(pk__in=chunk))
        except (*UNREADABLE, OperationalError) as error:
            _raise_unless_unreadable(error)
            yield from (_read_row(rows, pk) for pk in chunk)
        else:
            yield from readable


def _raise_unless_unreadable(error: Exception) -> None:
    """Raise an error of the database again, but for that of SQLite over JSON that is none."""
    if isinstance(error, OperationalError) and str(error) != "malformed JSON":
        raise error


def _read_row(rows: QuerySet[Row], pk: Any) -> Row | UnreadableRow:
    try:
        return rows.get(pk=pk)
    except (*UNREADABLE, OperationalError) as error:
        _raise_unless_unreadable(error)
        return UnreadableRow(str(rows.model._meta.verbose_name), pk, describe_error(error))
