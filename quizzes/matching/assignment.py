"""The best one-to-one assignment of a sparse table of weights, in polynomial time. Pure.

Shortest augmenting paths with potentials (Jonker and Volgenant): each row finds the cheapest path
to a free column, and assigned rows move along it. A row may stay unassigned: it has a column of
its own for that, whose weight is 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

Weights = Sequence[Mapping[int, float]]
"""For each row: column → weight of the pair, above 0."""


@dataclass(slots=True)
class _Table:
    """Costs, and what is assigned so far; columns below 0 are those of unassigned rows."""

    weights: Weights
    max_weight: float
    row_by_column: dict[int, int] = field(default_factory=dict)
    column_by_row: dict[int, int] = field(default_factory=dict)
    row_potentials: dict[int, float] = field(default_factory=dict)
    column_potentials: dict[int, float] = field(default_factory=dict)

    def costs(self, row: int) -> list[tuple[int, float]]:
        """Return the cost of each column for this row, less the potentials; never below 0."""
        own = self.row_potentials.get(row, 0.0)
        costs = [
            (column, self.max_weight - weight - own - self.column_potentials.get(column, 0.0))
            for column, weight in self.weights[row].items()
        ]
        unassigned = -1 - row
        cost = self.max_weight - own - self.column_potentials.get(unassigned, 0.0)
        return [*costs, (unassigned, cost)]


def assign(weights: Weights) -> dict[int, int]:
    """Return the pairs (row → column) whose weights have the greatest sum."""
    table = _Table(weights, max((max(row.values(), default=0.0) for row in weights), default=0.0))
    for row in range(len(weights)):
        _assign_row(table, row)
    return {row: column for row, column in table.column_by_row.items() if column >= 0}


def _assign_row(table: _Table, start: int) -> None:
    """Find the cheapest path from a row to a free column, and move all rows along it."""
    shortest: dict[int, float] = {}
    previous_rows: dict[int, int] = {}
    heap: list[tuple[float, int]] = []
    visited: dict[int, float] = {}
    row, at = start, 0.0
    while True:
        for column, cost in table.costs(row):
            if column not in visited and at + cost < shortest.get(column, float("inf")):
                shortest[column], previous_rows[column] = at + cost, row
                heappush(heap, (at + cost, column))
        at, column = heappop(heap)
        while column in visited:
            at, column = heappop(heap)
        if column not in table.row_by_column:
            break
        visited[column] = at
        row = table.row_by_column[column]
    _update_potentials(table, start, at, visited)
    _move_rows(table, start, column, previous_rows)


def _update_potentials(table: _Table, start: int, at: float, visited: Mapping[int, float]) -> None:
    """Update the potentials, so that no cost is below 0."""
    table.row_potentials[start] = table.row_potentials.get(start, 0.0) + at
    for column, distance in visited.items():
        row = table.row_by_column[column]
        table.row_potentials[row] = table.row_potentials.get(row, 0.0) + at - distance
        table.column_potentials[column] = table.column_potentials.get(column, 0.0) - (at - distance)


def _move_rows(table: _Table, start: int, column: int, previous_rows: Mapping[int, int]) -> None:
    """Move each row of the path to the next column, the last row to the free one."""
    while True:
        row = previous_rows[column]
        old_column = table.column_by_row.get(row)
        table.row_by_column[column], table.column_by_row[row] = row, column
        if row == start or old_column is None:
            break
        column = old_column
