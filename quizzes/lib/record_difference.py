"""What a verification of the record yields: for each row that it looked at, the differences."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """Where a stored row and what it should be part; `row` names it for people and for SQL."""

    row: str
    place: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return f"{self.row}, {self.place}: stored {self.stored}, computed {self.computed}"


Differences = tuple[RecordDifference, ...]


@dataclass(frozen=True, slots=True)
class Verifier:
    """One part of the record: its rows, in the plural, and what verifies them.

    `verify` yields the differences of each row, none for a row as it should be, in constant memory;
    a difference says in its text which row it is.
    """

    rows: str
    verify: Callable[[], Iterator[tuple[object, ...]]]
