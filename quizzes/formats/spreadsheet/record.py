"""One row of a sheet of questions, its cells by what they hold."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from quizzes.formats.contract import Note
from quizzes.formats.spreadsheet.cells import parse_shares
from quizzes.formats.spreadsheet.columns import LETTERED, TRANSLATED, Column
from quizzes.formats.tables import TableRow
from quizzes.lib.formula_injection import unescape_formula
from quizzes.lib.markup.escape import escape_markdown

_FILLED_DOWN = frozenset({"kind", "points", "tags", "scoring_method", "format"})
"""Parts whose merged cells speak of every row beside them."""
_OF_KINDS = LETTERED | TRANSLATED | {"correct"}
"""Parts that some kinds of question have and others lack."""


@dataclass(slots=True)
class QuestionRow:
    """A row with its notes; `unescape`: apostrophes may stand before formulas."""

    row: TableRow
    columns: Mapping[int, Column]
    language: str  # of columns that name none
    unescape: bool = False
    notes: list[Note] = field(default_factory=list)
    _cells: dict[Column, str] = field(default_factory=dict)
    _read: set[Column] = field(default_factory=set)
    _noted: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        for place, column in self.columns.items():
            cell, merged = self.row.cell(place), self.row.merged.get(place)
            if not cell.strip() and column.part in _FILLED_DOWN and merged:
                cell = merged
                self.note("merged_cell_filled", cell)
            if code := self.row.problems.get(place):
                self.note(code, cell)
            language = (column.language or self.language) if column.part in TRANSLATED else ""
            text = unescape_formula(cell) if self.unescape else cell
            self._cells.setdefault(Column(column.part, column.letter, language), text)

    def note(self, code: str, quote: str = "") -> None:
        """Add a note on this row, once."""
        quote = quote.strip()[:200]
        if (code, quote) not in self._noted:
            self._noted.add((code, quote))
            self.notes.append(Note(code, self.row.line, quote))

    def cell(self, part: str, letter: str = "", language: str = "") -> str:
        """Return a cell as it stands; without a language, one that is the same in every one."""
        return self._cell(Column(part, letter, language)).strip()

    def text(self, part: str, language: str, letter: str = "") -> str:
        """Return a text as Markdown; what is plain shows as it stands."""
        text = self._cell(Column(part, letter, language))
        return self.to_markdown(text) if text.strip() else ""

    def to_markdown(self, text: str) -> str:
        """Return words of this row as Markdown."""
        if not text or self.row.is_markdown or self.cell("format").lower() == "markdown":
            return text
        return escape_markdown(text)

    def list_unread(self) -> Iterator[tuple[Column, str]]:
        """Yield what stands in cells of the question itself that nothing has read so far."""
        for column, cell in self._cells.items():
            if column.part in _OF_KINDS and column not in self._read and cell.strip():
                yield column, cell.strip()

    def languages(self) -> tuple[str, ...]:
        """Return the languages that anything is written in, in the columns' order."""
        filled = (column.language for column, cell in self._cells.items() if cell.strip())
        return tuple(dict.fromkeys(filter(None, filled)))

    def is_filled(self, parts: Collection[str]) -> bool:
        """Return whether any of these parts is filled in, in any language."""
        return any(cell.strip() for column, cell in self._cells.items() if column.part in parts)

    def letters(self, part: str = "option") -> tuple[str, ...]:
        """Return the letters of the options that say anything, in any language."""
        cells = self._cells.items()
        return tuple(sorted({at.letter for at, cell in cells if at.part == part and cell.strip()}))

    def options(self) -> dict[str, list[str]]:
        """Return what each option says, in every language."""
        options: dict[str, list[str]] = {letter: [] for letter in self.letters()}
        for column, cell in self._cells.items():
            if column.part == "option" and column.letter in options:
                options[column.letter].append(cell.strip())
        return options

    def weights(self) -> dict[str, Fraction]:
        """Return what the options earn, as far as it can be read."""
        return parse_shares(
            {letter: self.cell("weight", letter) for letter in self.letters("weight")}
        )

    def _cell(self, column: Column) -> str:
        self._read.add(column)
        return self._cells.get(column, "")
