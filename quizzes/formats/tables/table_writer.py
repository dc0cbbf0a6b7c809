"""Tables as files: text with commas or semicolons, and workbooks; no cell of them is ever run."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cache
from io import BytesIO
from typing import IO, Any, TypeAlias
from zipfile import ZipFile

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties

from quizzes.formats.parsing.packages import write_zip
from quizzes.lib.formula_injection import escape_formula, is_formula

MAX_CELL_LENGTH = 32_767
"""Characters that a cell of a workbook can hold."""
_QUOTED = re.compile(r'[",;\t\r\n]|^\s|\s$')
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_CREATED = datetime(2000, 1, 1)  # noqa: DTZ001  the format's dates have no zone
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_DATE = rb"\g<1>2000-01-01T00:00:00Z"
_HEADING_HEIGHT = 36
_MOST_ROWS = 2_000
"""Rows below the header in which choices are offered."""
_INK, _PAPER, _LINE = "1B171F", "FFFFFF", "E3DEE7"
_BORDER = Border(bottom=Side(style="thin", color=_LINE))
_HEADING = Alignment(wrap_text=True, vertical="center", indent=1)
_BODY = Alignment(wrap_text=True, vertical="top", indent=1)


TableCell: TypeAlias = str | int | Decimal
"""A text, which stays one whatever it looks like; or a number, to compute with."""


@dataclass(frozen=True, slots=True)
class HeadingColors:
    """The colours of a heading, as six hexadecimal digits."""

    background: str = "7B1D6A"
    text: str = _PAPER


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    """A sheet of a workbook: its cells, and how it looks. Widths are in characters.

    `choices` are offered in a column (from 0) below the header. `frozen` columns do not scroll.
    `bold` rows (from 0) stand out.
    """

    title: str
    cells: Iterable[Sequence[TableCell]]
    widths: Sequence[float]
    colors: Sequence[HeadingColors]
    choices: Mapping[int, Sequence[str]] = field(default_factory=dict)
    frozen: int = 0
    bold: Collection[int] = frozenset({0})


def write_delimited(cells: Sequence[Sequence[TableCell]], delimiter: str) -> bytes:
    """Write a table as spreadsheets open it: a mark of its encoding, and quotes where needed."""
    return b"".join(generate_delimited(cells, delimiter))


def generate_delimited(cells: Iterable[Sequence[TableCell]], delimiter: str) -> Iterator[bytes]:
    """Yield the same, line by line."""
    yield "\ufeff".encode()
    for row in cells:
        yield f"{delimiter.join(map(_write_delimited_cell, row))}\r\n".encode()


def write_workbook(sheets: Sequence[WorkbookSheet]) -> bytes:
    """Write a workbook: a text stays one, a number is one; the same sheets give the same bytes."""
    buffer = BytesIO()
    save_workbook(sheets, buffer)
    with ZipFile(buffer) as archive:
        members = ((name, archive.read(name)) for name in archive.namelist())
        return write_zip((name, _MODIFIED.sub(_DATE, content)) for name, content in members)


def save_workbook(sheets: Iterable[WorkbookSheet], file: IO[bytes]) -> None:
    """Write a workbook into a file, a row at a time, with the hour at which it was made."""
    book = Workbook(write_only=True)
    book.properties.creator = "Ochenta"
    book.properties.created = _CREATED
    for sheet in sheets:
        _add_sheet(book, sheet)
    book.save(file)


def fits_workbook(cell: str) -> bool:
    """Return whether a cell of a workbook can hold this, all of it."""
    return len(_escape(cell)) <= MAX_CELL_LENGTH and not ILLEGAL_CHARACTERS_RE.search(cell)


def fit_workbook(cell: TableCell) -> TableCell:
    """Return a cell without what no workbook can hold; where its end is cut off, it says so."""
    if not isinstance(cell, str) or fits_workbook(cell):
        return cell
    text = ILLEGAL_CHARACTERS_RE.sub("", cell)
    if fits_workbook(text):
        return text
    escaped_at_most = MAX_CELL_LENGTH - 1 - (len(_escape(text)) - len(text))
    return f"{text[: max(escaped_at_most, 0)]}…"


def _add_sheet(book: Workbook, content: WorkbookSheet) -> None:
    sheet = book.create_sheet(content.title)
    sheet.freeze_panes = f"{get_column_letter(content.frozen + 1)}2"
    sheet.sheet_view.showGridLines = False
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = "1:1"
    sheet.row_dimensions[1].height = _HEADING_HEIGHT
    for number, width in enumerate(content.widths, start=1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    for column, choices in content.choices.items():
        letter = get_column_letter(column + 1)
        validation = DataValidation("list", formula1=f'"{",".join(choices)}"', allow_blank=True)
        validation.add(f"{letter}2:{letter}{_MOST_ROWS}")
        sheet.data_validations.append(validation)

    @cache  # a style is made once and shared by all cells that have it
    def build_style(colors: HeadingColors | None, *, bold: bool, quoted: bool) -> Any:
        model: Any = WriteOnlyCell(sheet)
        model.quotePrefix = quoted  # a spreadsheet leaves it text when somebody edits it
        model.font = Font(name="Calibri", size=11, bold=bold, color=colors.text if colors else _INK)
        model.alignment = _HEADING if colors else _BODY
        model.border = _BORDER
        if colors:
            model.fill = PatternFill("solid", start_color=colors.background)
        return model._style

    for number, row in enumerate(content.cells):
        colors = content.colors if number == 0 else [None] * len(row)
        cells: list[Any] = []
        for value, cell_colors in zip(row, colors, strict=False):
            is_text = isinstance(value, str)
            content_of_cell: Any = _escape(value) if isinstance(value, str) else value
            cell: Any = WriteOnlyCell(sheet, content_of_cell)
            cell.data_type = "s" if is_text else "n"
            bold, quoted = number in content.bold, is_text and is_formula(str(value))
            cell._style = build_style(cell_colors, bold=bold, quoted=quoted)
            cells.append(cell)
        sheet.append(cells)


def _write_delimited_cell(cell: TableCell) -> str:
    return _quote(escape_formula(cell)) if isinstance(cell, str) else str(cell)


def _quote(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell


def _escape(cell: str) -> str:
    """Return a cell in which what looks like an escaped character is read back as it was."""
    return _ESCAPE.sub("_x005F_", cell)
