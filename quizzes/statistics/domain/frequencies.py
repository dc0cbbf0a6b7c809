"""Counted rows: sums that can be merged and taken apart again without a remainder."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Row = TypeVar("Row", bound=Hashable)


class NotCounted(ValueError):
    """A row is to be removed that was never added."""


@dataclass
class FrequencyTable(Generic[Row]):
    """How often each distinct row occurs; a row that occurs no more is not in it.

    Whole counts alone: what is added and removed again leaves the table equal to what it was.
    """

    counts: Counter[Row] = field(default_factory=Counter)

    def add(self, row: Row, count: int = 1) -> None:
        """Count a row, so many times more."""
        self.counts[row] += count

    def check(self, row: Row) -> None:
        """Raise NotCounted where a row does not occur."""
        if row not in self.counts:
            raise NotCounted(str(row))

    def remove(self, row: Row) -> None:
        """Count a row once less; NotCounted where it does not occur."""
        self.check(row)
        self.counts[row] -= 1
        if not self.counts[row]:
            del self.counts[row]

    def merge(self, tables: Iterable["FrequencyTable[Row]"]) -> None:
        """Add all rows of other tables."""
        for table in tables:
            self.counts.update(table.counts)

    def __iter__(self) -> Iterator[tuple[Row, int]]:
        return iter(self.counts.items())

    def __bool__(self) -> bool:
        return bool(self.counts)

    @property
    def n(self) -> int:
        """Return how many were counted."""
        return self.counts.total()
