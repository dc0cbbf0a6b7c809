"""A table, once it is read: rows that know their lines, cells that are texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from quizzes.formats.contract import FileError, Note

MOST_COLUMNS = 200
"""In a table; more are left out, with a note."""
HEADER_ROWS = 20
"""Rows at the top among which the header is looked for."""

CountColumns = Callable[[Sequence[str]], int]
"""Returns how many columns of a header are known, if a row can be the header; else 0."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row, lines `line` to `end_line` of its file; in a workbook, its number.

    `problems`: column → the code of what is wrong with its value. `merged`: column → the value of
    the cell that this one is merged with, further up.
    """

    line: int
    end_line: int
    cells: tuple[str, ...]
    problems: Mapping[int, str] = field(default_factory=dict)
    merged: Mapping[int, str] = field(default_factory=dict)
    is_markdown: bool = False

    @property
    def text(self) -> str:
        """Return what its cells say, on one line."""
        return " | ".join(filter(None, map(str.strip, self.cells)))

    def cell(self, column: int) -> str:
        """Return a cell; "" beyond the last one."""
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class SheetTable:
    """The rows of a file, or of the sheet `name` of a workbook; empty rows are left out."""

    name: str
    rows: tuple[TableRow, ...]

    def find_header(self, count_columns: CountColumns) -> int | None:
        """Return the place of the first row at the top that can be the header."""
        near = enumerate(self.rows[:HEADER_ROWS])
        return next((place for place, row in near if count_columns(row.cells)), None)


@dataclass(frozen=True, slots=True)
class TableFile:
    """All tables of a file, with notes on the file itself, and what keeps it from being read."""

    tables: tuple[SheetTable, ...] = ()
    notes: tuple[Note, ...] = ()
    errors: tuple[FileError, ...] = ()

    def lines(self, name: str) -> Sequence[str]:
        """Return the texts of the rows of a sheet: row n is line n."""
        rows = (row for table in self.tables if table.name == name for row in table.rows)
        texts = {row.line: row.text for row in rows}
        return [texts.get(line, "") for line in range(1, max(texts, default=0) + 1)]
