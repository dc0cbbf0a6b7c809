"""Text of another format that somebody has in the cells of a table: a question or a line a row.

It is looked for where no row names columns. A cell of several lines moves what is below it, so
lines count those of the text.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Final

from quizzes.formats import kahoot
from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.packages import is_tarball, is_zip
from quizzes.formats.parsing.progress import ignore_progress
from quizzes.formats.parsing.reading_limits import check_cell_count
from quizzes.formats.spreadsheet.columns import count_columns
from quizzes.formats.tables import SheetTable, TableFile, TableRow, is_workbook, read_workbook

SAMPLE_ROWS: Final = 200
"""Rows of a workbook by which it is decided whether its cells have text of a format."""


@dataclass(frozen=True, slots=True)
class CellText:
    """The cells of a file, read as a text, with what it leaves out."""

    text: bytes
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class CellTexts:
    """What the cells of a file are as a text, by row or column; `is_sample`: it has more rows."""

    texts: tuple[CellText, ...]
    is_sample: bool = False


def read_cell_texts(data: bytes, most_rows: int | None = None) -> CellTexts | None:
    """Return the text in the cells of a file without named columns; None of any other file.

    Rows are below each other, or with an empty line between. Of several columns first the one
    with the longest texts is read, then all of them, with tabs between.
    """
    with ignore_progress():  # what nothing comes of earns no time
        file = _read_rows(data, most_rows)
    rows = () if _has_header(file) else tuple(_number_rows(file))
    if not rows:
        return None
    check_cell_count(sum(len(row.cells) for row in rows))
    widest = _find_widest(rows)
    texts, left_out = [row.cell(widest) for row in rows], tuple(_note_others(rows, widest))
    joined = [_join(rows, texts), "\n\n".join(filter(str.strip, texts))]
    all_notes = [(*file.notes, *left_out)] * len(joined)
    if left_out:
        joined.append(_join(rows, list(map(_write_row, rows))))
        all_notes.append(file.notes)
    return CellTexts(
        tuple(
            CellText(text.encode(errors="surrogatepass"), notes)
            for text, notes in zip(joined, all_notes, strict=True)
        ),
        is_sample=any(len(table.rows) == most_rows for table in file.tables),
    )


def _number_rows(file: TableFile) -> Iterator[TableRow]:
    """Yield the rows of all sheets; those of the second are numbered on from the first."""
    above = 0
    for table in file.tables:
        for row in table.rows:
            yield replace(row, line=row.line + above, end_line=row.end_line + above)
        above += table.rows[-1].end_line + 1


def _find_widest(rows: Iterable[TableRow]) -> int:
    """Return the column with the longest texts in all."""
    letters = Counter[int]()
    for row in rows:
        for column, cell in enumerate(row.cells):
            letters[column] += len(cell.strip())
    return max(letters, key=letters.__getitem__)


def _note_others(rows: Iterable[TableRow], widest: int) -> Iterator[Note]:
    """Yield a note on each cell outside of a column."""
    for row in rows:
        for column, cell in enumerate(row.cells):
            if column != widest and cell.strip():
                yield Note("cell_beside_text", row.line, cell.strip()[:LONGEST_QUOTE])


def _read_rows(data: bytes, most: int | None) -> TableFile:
    if is_workbook(data):
        return read_workbook(data, most)
    return TableFile() if is_zip(data) or is_tarball(data) else _read_quoted(data)


def _read_quoted(data: bytes) -> TableFile:
    """Return the rows of a text each of which is one cell in quotes."""
    text, notes = decode(data)
    if not text.startswith('"') or not text.rstrip().endswith('"'):
        return TableFile()
    rows, end = list[TableRow](), 0
    try:
        reader = csv.reader(StringIO(text), strict=True)
        for cells in reader:
            if len(cells) > 1:
                return TableFile()
            rows += [TableRow(end + 1, reader.line_num, (cell,)) for cell in cells if cell.strip()]
            end = reader.line_num
    except csv.Error:
        return TableFile()
    return TableFile((SheetTable("", tuple(rows)),), tuple(notes))


def _has_header(file: TableFile) -> bool:
    return bool(file.errors) or any(
        table.find_header(count) is not None
        for table in file.tables
        for count in (count_columns, kahoot.count_columns)
    )


def _write_row(row: TableRow) -> str:
    """Return the cells of a row with tabs between them."""
    buffer = StringIO()
    csv.writer(buffer, delimiter="\t", lineterminator="").writerow(row.cells)
    return buffer.getvalue()


def _join(rows: Sequence[TableRow], texts: Sequence[str]) -> str:
    """Return texts on the lines of their rows, as far as none of them has several."""
    parts, line = list[str](), 1
    for row, text in zip(rows, texts, strict=True):
        parts.append("\n" * (row.line - line) + text)
        line = max(line, row.line) + 1 + text.count("\n")
    return "\n".join(parts)
