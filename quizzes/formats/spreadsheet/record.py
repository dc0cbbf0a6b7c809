"""One row of a sheet of questions, its cells called by what they hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from quizzes.formats.contract import Note
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.spreadsheet.columns import LETTERED, SPOKEN, Column
from quizzes.formats.tables import Row
from quizzes.formats.tables.formulas import bare

_DOWNWARDS = frozenset({"kind", "points", "tags", "scoring_method", "format"})
"""Parts whose merged cells speak of every row beside them."""
_OF_KINDS = LETTERED | SPOKEN | {"correct"}
"""Parts that some kinds of question have and others lack."""
_MARKDOWN = "markdown"


@dataclass(slots=True)
class Record:
    """A row, and what is noted of it; `guarded`: apostrophes may stand before live cells."""

    row: Row
    columns: Mapping[int, Column]
    language: str  # of columns that do not say theirs
    guarded: bool = False
    notes: list[Note] = field(default_factory=list)
    _cells: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _read: set[tuple[str, str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        for at, column in self.columns.items():
            cell = self.row.cells[at] if at < len(self.row.cells) else ""
            if not cell.strip() and column.part in _DOWNWARDS and self.row.joined.get(at):
                cell = self.row.joined[at]
                self.note("merged_cell_filled", cell)
            if code := self.row.odd.get(at):
                self.note(code, cell)
            spoken = (column.language or self.language) if column.part in SPOKEN else ""
            text = bare(cell) if self.guarded else cell
            self._cells.setdefault((column.part, column.letter, spoken), text)

    def note(self, code: str, quote: str = "") -> None:
        """Note a thing about this row."""
        self.notes.append(Note(code, self.row.line, quote.strip()[:200]))

    def cell(self, part: str, letter: str = "") -> str:
        """Give a cell that is the same in every language."""
        return self._cell((part, letter, "")).strip()

    def raw(self, part: str, language: str, letter: str = "") -> str:
        """Give a text as it stands in its cell."""
        return self._cell((part, letter, language)).strip()

    def text(self, part: str, language: str, letter: str = "") -> str:
        """Give a text as Markdown; what is plain shows as it stands."""
        whole = self._cell((part, letter, language))
        return self.markdown(whole if whole.strip() else "")

    def _cell(self, place: tuple[str, str, str]) -> str:
        self._read.add(place)
        return self._cells.get(place, "")

    def unread(self) -> Iterator[tuple[Column, str]]:
        """Yield what stands in cells of the question itself that nothing has read so far."""
        for place, cell in self._cells.items():
            if place[0] in _OF_KINDS and place not in self._read and cell.strip():
                yield Column(*place), cell.strip()

    def markdown(self, words: str) -> str:
        """Give words of this row as Markdown."""
        if not words or self.cell("format").lower() == _MARKDOWN:
            return words
        return escape_markdown(words)

    def languages(self, part: str = "") -> tuple[str, ...]:
        """Give the languages that anything (or this part) is written in, in the columns' order."""
        found = (
            language
            for (one, _, language), cell in self._cells.items()
            if language and cell.strip() and part in {"", one}
        )
        return tuple(dict.fromkeys(found))

    def letters(self, part: str = "option") -> tuple[str, ...]:
        """Give the letters of the options that say anything, in any language."""
        every = self._cells.items()
        return tuple(sorted({one for (of, one, _), cell in every if of == part and cell.strip()}))

    def wordings(self, letter: str) -> Sequence[str]:
        """Give what an option says, in each language."""
        every = self._cells.items()
        return [cell.strip() for place, cell in every if place[:2] == ("option", letter)]
