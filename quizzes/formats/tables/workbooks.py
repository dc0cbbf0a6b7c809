"""Workbooks (XLSX): the values of their sheets, read by openpyxl from a package that is fit.

Formulas are never worked out: what was last worked out is the value. Macros and links to other
files are not even opened.
"""

import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.utils.exceptions import InvalidFileException

from quizzes.formats.contract import FileError, Note
from quizzes.formats.parsing.packages import Package, is_zip
from quizzes.formats.tables.caution import cautiously
from quizzes.formats.tables.grid import MOST_COLUMNS, Row, Table, Tables
from quizzes.formats.tables.values import reading

_LAST_ROW = 1_048_576
_ERRORS = (
    AttributeError,
    EOFError,
    IndexError,
    InvalidFileException,
    KeyError,
    OSError,
    OverflowError,
    ParseError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
)
"""What the library raises at packages that are no workbook, or a broken one."""
_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})"')
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_BESIDE = {
    "vbaProject.bin": "macros_left_out",
    "xl/externalLinks/": "links_left_out",
    "xl/media/": "pictures_in_sheet",
    "xl/comments": "cell_comments_left_out",
}

_Merged = dict[int, list[tuple[int, int]]]
"""First row → (column, last row), columns from 0, of cells that are merged downwards."""


def is_workbook(data: bytes) -> bool:
    """Tell a package with a workbook in it, or a workbook of old, or one behind a password."""
    return data.startswith(_OLD) or (is_zip(data) and b"xl/workbook." in data)


def workbook(data: bytes, most: int | None = None) -> Tables:
    """Read every sheet that has rows, at most so many of each; a hidden one is told."""
    if data.startswith(_OLD):
        words = "an old workbook, or one with a password: save it as .xlsx without"
        return Tables(troubles=(FileError(1, "", "workbook_old", words),))
    package = cautiously(data)
    if isinstance(package, FileError):
        return Tables(troubles=(package,))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the library leaves out: nothing that we read
            return _read(data, package, most or _LAST_ROW)
    except _ERRORS:
        trouble = FileError(1, "", "workbook_damaged", "this is no workbook, or a damaged one")
        return Tables(troubles=(trouble,))


def _read(data: bytes, package: Package, most: int) -> Tables:
    noise = [
        Note(code, 1)
        for part, code in _BESIDE.items()
        if any(name.startswith(part) or name.endswith(part) for name in package.names)
    ]
    tables, sheets = list[Table](), _sheets(data, values=True)
    twins = _sheets(data, values=False) if _has_formulas(package) else sheets
    for sheet, twin in zip(sheets, twins, strict=True):
        source = package.read(sheet._worksheet_path.lstrip("/"))
        raw = b"" if isinstance(source, FileError) else source
        if sheet.sheet_state != "visible":
            noise.append(Note("sheet_hidden", 1, sheet.title))
        if (sheet.max_column or 0) > MOST_COLUMNS:
            noise.append(Note("columns_left_out", 1, sheet.title))
        formulas = twin if _FORMULA.search(raw) else None
        rows = _rows(sheet, formulas, _merged(raw), most)
        if filled := tuple(row for row in rows if not row.is_empty):
            tables.append(Table(sheet.title, filled))
    return Tables(tuple(tables), tuple(noise))


def _sheets(data: bytes, *, values: bool) -> list[Any]:
    book = load_workbook(BytesIO(data), read_only=True, data_only=values, keep_links=False)
    return book.worksheets


def _has_formulas(package: Package) -> bool:
    parts = (data for name, data in package.members() if name.startswith("xl/worksheets/"))
    return any(not isinstance(data, FileError) and _FORMULA.search(data) for data in parts)


def _merged(raw: bytes) -> _Merged:
    found: _Merged = {}
    for reference in _MERGED.findall(raw):
        first, _, last = reference.decode().partition(":")
        (top, left), (bottom, _) = coordinate_to_tuple(first), coordinate_to_tuple(last)
        if bottom > top:
            found.setdefault(top, []).append((left - 1, bottom))
    return found


def _rows(sheet: Any, twin: Any, merged: _Merged, most: int) -> Iterator[Row]:
    formulas = _cells(twin) if twin is not None else None
    joined: dict[int, tuple[int, str]] = {}
    for number, cells in enumerate(_cells(sheet), start=1):
        beside = next(formulas, ()) if formulas else ()
        if number > most:
            return
        joined = {at: one for at, one in joined.items() if one[0] >= number}
        if not cells and not beside:
            continue
        texts, odd = reading(cells, beside)
        held = {at: value for at, (_, value) in joined.items()}
        yield Row(number, number, texts, odd, held)
        for at, bottom in merged.get(number, ()):
            joined[at] = (bottom, texts[at] if at < len(texts) else "")


def _cells(sheet: Any) -> Iterator[Sequence[Any]]:
    """Give the cells of each row; () where nothing is in them, and quickly where many are so."""
    sheet.reset_dimensions()  # they may be wrong
    blank: Sequence[Any] = ()
    for cells in sheet.iter_rows(max_col=MOST_COLUMNS):
        if cells is not blank and any(cell.value is not None for cell in cells):
            yield cells
        else:
            blank = cells
            yield ()
