"""Workbooks (XLSX): the values of their sheets, read by openpyxl from a package that is safe.

Formulas are never worked out: what was last worked out is the value. Macros and links to other
files are not even opened.
"""

import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.utils.exceptions import InvalidFileException

from quizzes.formats.contract import FileError, Note
from quizzes.formats.parsing.packages import Package, is_zip
from quizzes.formats.parsing.progress import count_item
from quizzes.formats.tables.cell_values import read_cells
from quizzes.formats.tables.rows import (
    HEADER_ROWS,
    MOST_COLUMNS,
    CountColumns,
    SheetTable,
    TableFile,
    TableRow,
)
from quizzes.formats.tables.workbook_safety import open_workbook

_LAST_ROW = 1_048_576
_ERRORS = (
    *(AttributeError, EOFError, IndexError, KeyError, OSError, OverflowError, TypeError),
    *(ValueError, InvalidFileException, ParseError, zipfile.BadZipFile),
)
"""What the library raises at packages that are no workbook, or a broken one."""
_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})"')
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_FORMULA_SIGNS = (b"f>", b"f/", b"f ", b"f\t", b"f\r", b"f\n")
_LEFT_OUT = {
    "vbaProject.bin": "macros_left_out",
    "xl/externalLinks/": "links_left_out",
    "xl/media/": "pictures_in_sheet",
    "xl/comments": "cell_comments_left_out",
}
"""The beginning or end of a member's name → the note."""

_Merged = dict[int, list[tuple[int, int]]]
"""First row → (column, last row), columns from 0, of cells that are merged downwards."""


class _SheetParts(NamedTuple):
    """A sheet as values, as formulas where it has any, and what is merged on it."""

    sheet: Any
    formulas: Any
    merged: _Merged


def is_workbook(data: bytes) -> bool:
    """Return whether this is a workbook in a package, an old one, or one behind a password."""
    return data.startswith(_OLD) or (is_zip(data) and b"xl/workbook." in data)


@lru_cache(maxsize=1)  # reading, accounting, scoring and excerpts each ask for the same one
def read_workbook(
    data: bytes, most_rows: int | None = None, count_columns: CountColumns | None = None
) -> TableFile:
    """Read every sheet that has rows, at most so many of each; a hidden one is noted.

    With `count_columns`, a workbook without a header on any sheet is read no further than where
    headers are looked for: nothing in it is a question, however much there is.
    """
    if data.startswith(_OLD):
        message = "an old workbook, or one with a password: save it as .xlsx without"
        return TableFile(errors=(FileError(1, "", "workbook_old", message),))
    package = open_workbook(data)
    if isinstance(package, FileError):
        return TableFile(errors=(package,))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the library leaves out: nothing that we read
            return _read(data, package, most_rows or _LAST_ROW, count_columns)
    except _ERRORS:
        error = FileError(1, "", "workbook_damaged", "this is no workbook, or a damaged one")
        return TableFile(errors=(error,))


def _read(
    data: bytes, package: Package, most_rows: int, count_columns: CountColumns | None
) -> TableFile:
    notes = [
        Note(code, 1)
        for part, code in _LEFT_OUT.items()
        if any(name.startswith(part) or name.endswith(part) for name in package.names)
    ]
    sheets, parts = _load_sheets(data, values=True), list[_SheetParts]()
    formula_sheets = _load_sheets(data, values=False) if _has_formulas(package) else sheets
    for sheet, formula_sheet in zip(sheets, formula_sheets, strict=True):
        content = package.read(sheet._worksheet_path.lstrip("/"))
        xml = b"" if isinstance(content, FileError) else content
        if sheet.sheet_state != "visible":
            notes.append(Note("sheet_hidden", 1, sheet.title))
        if (sheet.max_column or 0) > MOST_COLUMNS:
            notes.append(Note("columns_left_out", 1, sheet.title))
        formulas = formula_sheet if _has_formula(xml) else None
        parts.append(_SheetParts(sheet, formulas, _find_merged(xml)))
    if count_columns is not None:
        top = _read_tables(parts, most_rows, HEADER_ROWS)
        if all(table.find_header(count_columns) is None for table in top):
            return TableFile(top, tuple(notes))
    return TableFile(_read_tables(parts, most_rows), tuple(notes))


def _read_tables(
    parts: Iterable[_SheetParts], most_rows: int, most_filled: int | None = None
) -> tuple[SheetTable, ...]:
    """Return the sheets that have rows with text: of their first rows, and so many of those."""
    tables = list[SheetTable]()
    for sheet, formulas, merged in parts:
        rows = (row for row in _read_rows(sheet, formulas, merged, most_rows) if row.text)
        if filled := tuple(islice(rows, most_filled)):
            tables.append(SheetTable(sheet.title, filled))
    return tuple(tables)


@lru_cache(maxsize=2)  # a sheet that does not say its size is walked through when it is loaded
def _load_sheets(data: bytes, *, values: bool) -> list[Any]:
    book = load_workbook(BytesIO(data), read_only=True, data_only=values, keep_links=False)
    return book.worksheets


def _has_formulas(package: Package) -> bool:
    sheets = (data for name, data in package.members() if name.startswith("xl/worksheets/"))
    return any(not isinstance(data, FileError) and _has_formula(data) for data in sheets)


def _has_formula(xml: bytes) -> bool:
    # Most sheets have none, and looking for a few signs is far quicker than the expression.
    is_likely = any(sign in xml for sign in _FORMULA_SIGNS)
    return is_likely and _FORMULA.search(xml) is not None


def _find_merged(xml: bytes) -> _Merged:
    merged: _Merged = {}
    if b"mergeCell" not in xml:
        return merged
    for reference in _MERGED.findall(xml):
        (top, left), (bottom, _) = map(coordinate_to_tuple, reference.decode().split(":"))
        if bottom > top:
            merged.setdefault(top, []).append((left - 1, bottom))
    return merged


def _read_rows(sheet: Any, formula_sheet: Any, merged: _Merged, most: int) -> Iterator[TableRow]:
    formula_rows = _iterate_cells(formula_sheet) if formula_sheet is not None else iter(())
    above: dict[int, tuple[int, str]] = {}  # column → last row and value of a merged cell
    for number, cells in enumerate(_iterate_cells(sheet), start=1):
        formulas = next(formula_rows, ())
        if number > most:
            return
        above = {column: merge for column, merge in above.items() if merge[0] >= number}
        if not cells and not formulas:
            continue
        texts, problems = read_cells(cells, formulas)
        count_item()
        row_merged = {column: text for column, (_, text) in above.items()}
        row = TableRow(number, number, texts, problems, row_merged)
        yield row
        above |= {column: (bottom, row.cell(column)) for column, bottom in merged.get(number, ())}


def _iterate_cells(sheet: Any) -> Iterator[Sequence[Any]]:
    """Yield the cells of each row; () where it is empty, and quickly where many are."""
    sheet.reset_dimensions()  # they may be wrong
    blank: Sequence[Any] = ()
    for cells in sheet.iter_rows(max_col=MOST_COLUMNS):
        if cells is not blank and any(cell.value is not None for cell in cells):
            yield cells
        else:
            blank = cells
            yield ()
