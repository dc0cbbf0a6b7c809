"""Tables as text: commas, semicolons, tabs or bars between cells, quotes around some of them.

Bars are those of tables in Markdown, whose cells are Markdown, too.

Lines are those of the file, also where a cell holds several. A quote that nothing closes would
swallow all rows below: such a row is read as it stands, with a note.
"""

import csv
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from quizzes.formats.contract import Note
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.tables.rows import MOST_COLUMNS, CountColumns, SheetTable, TableFile, TableRow

_DELIMITERS = ",;\t|"
_PIPES = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"[\s|:-]+$")
_DECLARATION = re.compile(r"\"?sep=(.)\"?\s*", re.IGNORECASE)
_TRIED = 20
_MOST_RESTARTS = 200
"""Rows whose quotes do not fit, in one file; from each on, it is read anew."""

# A cell may be as long as the file: the library's own limit would end the reading.
csv.field_size_limit(64 * 1024 * 1024)


def read_delimited(data: bytes, count_columns: CountColumns) -> TableFile:
    """Read a file with the delimiter that makes the best header of a row near its top.

    A first line such as `sep=;` declares the delimiter.
    """
    text, notes = decode(data)
    lines = text.split("\n")
    declaration = _DECLARATION.fullmatch(lines[0])

    def count(delimiter: str) -> int:
        filled = filter(str.strip, _open_rows(lines, delimiter))
        near = (f"{line}\n" for line in islice(filled, _TRIED))
        return max(map(count_columns, csv.reader(near, delimiter=delimiter)), default=0)

    delimiter = declaration[1] if declaration else max(_DELIMITERS, key=count)
    all_notes = list(notes)
    is_markdown = delimiter == "|" and not declaration
    lines = list(_open_rows(lines, delimiter)) if is_markdown else lines
    rows = tuple(
        replace(row, is_markdown=is_markdown)
        for row in _read_rows(lines, delimiter, 1 if declaration else 0, all_notes)
    )
    if any(any(row.cells[MOST_COLUMNS:]) for row in rows):
        all_notes.append(Note("columns_left_out", 1))
    return TableFile((SheetTable("", rows),), tuple(all_notes))


def _open_rows(lines: Sequence[str], delimiter: str) -> Iterator[str]:
    """Yield lines as rows: of a table of Markdown without the bars around them, and its rule."""
    if delimiter != "|":
        yield from lines
        return
    for line in lines:
        is_row = _PIPES.match(line) is not None and _RULE.match(line) is None
        yield line.strip().removeprefix("|").removesuffix("|") if is_row else ""


def _read_rows(
    lines: Sequence[str], delimiter: str, start: int, notes: list[Note]
) -> Iterator[TableRow]:
    restarts = 0
    while start < len(lines):
        broken = yield from _read_quoted(lines, delimiter, start, strict=restarts < _MOST_RESTARTS)
        if broken is None:
            return
        start, is_open = broken
        line, problems = lines[start], dict[int, str]()
        if is_open:  # the quote would swallow the rows below
            notes.append(Note("quote_left_open", start + 1, line[:200]))
            cells = next(csv.reader([line], delimiter=delimiter, quoting=csv.QUOTE_NONE))
            problems = {n: "quote_left_open" for n, cell in enumerate(cells) if '"' in cell}
        else:
            cells = next(csv.reader([line], delimiter=delimiter))
        start, restarts = start + 1, restarts + 1
        yield TableRow(start, start, tuple(cells), problems)


def _read_quoted(
    lines: Sequence[str], delimiter: str, start: int, *, strict: bool
) -> Generator[TableRow, None, tuple[int, bool] | None]:
    """Yield the rows from a line (from 0) on, up to one whose quotes do not fit.

    Of that one, return where it begins, and whether it would reach over several lines.
    """
    below = (f"{lines[number]}\n" for number in range(start, len(lines)))
    reader, first = csv.reader(below, delimiter=delimiter, strict=strict), start
    while first < len(lines):
        try:
            cells = next(reader, [])
        except csv.Error:
            return first, start + reader.line_num - first > 1
        last = start + reader.line_num
        if any(map(str.strip, cells)):
            yield TableRow(first + 1, last, tuple(cells))
        first = last
    return None
