"""What a table is, once it is read: rows that know their lines, cells that are texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from quizzes.formats.contract import FileError, Note

MOST_COLUMNS = 200
"""In a table; what lies beyond is told."""

Fits = Callable[[Sequence[str]], int]
"""How well a row would do as the header that is looked for; 0: not at all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row, lines `line` to `last` of its file; in a workbook, its number.

    `odd`: column → the code of what is wrong with its value. `joined`: column → the value of the
    cell that this one is merged with, further up.
    """

    line: int
    last: int
    cells: tuple[str, ...]
    odd: Mapping[int, str] = field(default_factory=dict)
    joined: Mapping[int, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in any of its cells."""
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, or of the sheet `member` of a workbook; empty rows are left out."""

    member: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of a file, with what was noticed about the file itself."""

    tables: tuple[Table, ...] = ()
    noise: tuple[Note, ...] = ()
    troubles: tuple[FileError, ...] = ()

    def lines(self, member: str) -> Sequence[str]:
        """Give what the rows of a sheet say, a line a row: row n is line n."""
        said = {
            row.line: " | ".join(filter(None, map(str.strip, row.cells)))
            for table in self.tables
            for row in table.rows
            if table.member == member
        }
        return [said.get(line, "") for line in range(1, max(said, default=0) + 1)]
