"""Questions in tables: the header is found, each row below becomes an item, the rest is noted."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from openpyxl.utils import get_column_letter

from quizzes.formats.contract import FileError, FileMetadata, Note, ParsedFile, SourceItem
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.reading_limits import check_cell_count, check_item_count
from quizzes.formats.parsing.source_items import Origin
from quizzes.formats.spreadsheet.columns import Column
from quizzes.formats.spreadsheet.record import QuestionRow
from quizzes.formats.tables import MOST_COLUMNS, SheetTable, TableFile, TableRow

_MESSAGES = {
    "no_header": "no row names columns of questions",
    "text_in_sheet": "no row names columns of questions, and the text in its cells is of no format",
}


@dataclass(slots=True)
class TableReader(ABC):
    """Reads a file; formats differ in their columns, and in what they make of a record."""

    language: str
    unescape: bool = False  # apostrophes may stand before what a spreadsheet would run
    prefilled: frozenset[str] = frozenset()  # parts that forms fill in rows without a question
    notes: list[Note] = field(default_factory=list)
    names: Names = field(default_factory=Names)

    @abstractmethod
    def count_columns(self, cells: Sequence[str]) -> int:
        """Return how many columns of a header are known; 0 if it is none."""

    @abstractmethod
    def parse_header(self, cells: Sequence[str]) -> Mapping[int, Column]:
        """Return what each column holds."""

    @abstractmethod
    def is_question(self, record: QuestionRow) -> bool:
        """Return whether a row holds a question, or a part of one."""

    @abstractmethod
    def read_record(self, record: QuestionRow, origin: Origin) -> SourceItem:
        """Return the item of a row."""

    def read(self, tables: TableFile, *, is_language_known: bool) -> ParsedFile:
        """Read all tables; what belongs to no question is noted."""
        self.notes += tables.notes
        rows = [row for table in tables.tables for row in table.rows]
        check_cell_count(sum(len(row.cells) for row in rows))
        check_item_count(len(rows))
        items = tuple(item for table in tables.tables for item in self._read_table(table))
        language = self.language if is_language_known or self.language != "en" else ""
        if items and not is_language_known:
            by_script = Note("language_by_script", 1, detail={"language": language})
            self.notes.append(by_script if language else Note("language_unknown", 1))
        return ParsedFile(
            items=items,
            errors=tables.errors or self._refuse(tables.tables),
            metadata=FileMetadata(language=language),
            ignored_lines=tuple(self.notes),
        )

    def _refuse(self, tables: Sequence[SheetTable]) -> tuple[FileError, ...]:
        """Return what keeps a file out of which no table has a header, if it has any row."""
        rows = [row for table in tables for row in table.rows]
        if not rows or any(table.find_header(self.count_columns) is not None for table in tables):
            return ()
        is_text = all(sum(map(bool, map(str.strip, row.cells))) == 1 for row in rows)
        code = "text_in_sheet" if is_text else "no_header"
        row = rows[0]
        column = next(at for at, cell in enumerate(row.cells) if cell.strip())
        where = f"{get_column_letter(column + 1)}{row.line}"
        return (FileError(row.line, where, code, _MESSAGES[code]),)

    def _read_table(self, table: SheetTable) -> Iterator[SourceItem]:
        start = table.find_header(self.count_columns)
        if start is None:
            self.notes.append(Note("sheet_without_header", 1, table.name))
            return
        for row in table.rows[:start]:
            self._note("row_before_header", table, row, row.text)
        columns: Mapping[int, Column] = {}
        for row in table.rows[start:]:
            record = QuestionRow(row, columns, self.language, unescape=self.unescape)
            if self.count_columns(row.cells):
                columns = self.parse_header(row.cells)
                for place, cell in enumerate(row.cells[:MOST_COLUMNS]):
                    if cell.strip() and place not in columns:
                        self._note("column_unknown", table, row, cell.strip())
            elif self.is_question(record):
                origin = Origin(row.line, row.end_line, table.name)
                yield read_item(partial(self.read_record, record, origin), origin)
            elif not record.is_filled(self.prefilled):
                self._note("row_not_read", table, row, row.text)

    def _note(self, code: str, table: SheetTable, row: TableRow, text: str) -> None:
        quote = f"{table.name}: {text}" if table.name else text
        self.notes.append(Note(code, row.line, quote[:200]))
