"""The best one-to-one assignment of a sparse table of weights, in polynomial time. Pure.

Shortest augmenting paths with potentials (Jonker and Volgenant): each row finds the cheapest way
to a free column, moving rows that were there before. A row may stay alone: it has a column of its
own for that, which costs what nothing gains.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

Weights = Sequence[Mapping[int, float]]
"""For each row: column → what it gains to pair the two, above 0."""


@dataclass(slots=True)
class _Table:
    """Costs, and what is assigned so far; columns below 0 are those of rows that stay alone."""

    weights: Weights
    top: float
    row_of: dict[int, int] = field(default_factory=dict)
    column_of: dict[int, int] = field(default_factory=dict)
    of_rows: dict[int, float] = field(default_factory=dict)
    of_columns: dict[int, float] = field(default_factory=dict)

    def costs(self, row: int) -> list[tuple[int, float]]:
        """Give what each column costs this row beyond the potentials; never below 0."""
        own = self.of_rows.get(row, 0.0)
        priced = [
            (column, self.top - weight - own - self.of_columns.get(column, 0.0))
            for column, weight in self.weights[row].items()
        ]
        alone = -1 - row
        return [*priced, (alone, self.top - own - self.of_columns.get(alone, 0.0))]


def assign(weights: Weights) -> dict[int, int]:
    """Give the pairs (row → column) whose weights have the greatest sum."""
    table = _Table(weights, max((max(row.values(), default=0.0) for row in weights), default=0.0))
    for row in range(len(weights)):
        _place(table, row)
    return {row: column for row, column in table.column_of.items() if column >= 0}


def _place(table: _Table, start: int) -> None:
    """Find the cheapest way from a row to a free column, and move everyone along it."""
    shortest: dict[int, float] = {}
    came: dict[int, int] = {}
    heap: list[tuple[float, int]] = []
    done: dict[int, float] = {}
    row, at = start, 0.0
    while True:
        for column, cost in table.costs(row):
            if column not in done and at + cost < shortest.get(column, float("inf")):
                shortest[column], came[column] = at + cost, row
                heappush(heap, (at + cost, column))
        at, column = heappop(heap)
        while column in done:
            at, column = heappop(heap)
        if column not in table.row_of:
            break
        done[column] = at
        row = table.row_of[column]
    _settle(table, start, at, done)
    _move(table, start, column, came)


def _settle(table: _Table, start: int, at: float, done: Mapping[int, float]) -> None:
    """Bring the potentials to where no cost is below 0."""
    table.of_rows[start] = table.of_rows.get(start, 0.0) + at
    for column, reached in done.items():
        row = table.row_of[column]
        table.of_rows[row] = table.of_rows.get(row, 0.0) + at - reached
        table.of_columns[column] = table.of_columns.get(column, 0.0) - (at - reached)


def _move(table: _Table, start: int, column: int, came: Mapping[int, int]) -> None:
    """Give the free column to the last row of the way, its own to the one before, and so on."""
    while True:
        row = came[column]
        left = table.column_of.get(row)
        table.row_of[column], table.column_of[row] = row, column
        if row == start or left is None:
            break
        column = left
