"""Tables as files: text with commas or semicolons, and workbooks; no cell of them is ever run."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from zipfile import ZipFile

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties

from quizzes.formats.parsing.packages import write_zip
from quizzes.formats.tables.formulas import guarded
from quizzes.formats.tables.looks import Looks, Tint

LONGEST = 32_767
"""Characters that a cell of a workbook can hold."""
_QUOTED = re.compile(r'[",;\t\r\n]|^\s|\s$')
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001  the format's dates have no zone
_CHANGED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_DATE = rb"\g<1>2000-01-01T00:00:00Z"
_HEADING_HEIGHT = 36
_MOST_ROWS = 2_000
"""Rows below the header in which choices are offered."""


def as_text(grid: Sequence[Sequence[str]], sign: str) -> bytes:
    """Write a table as spreadsheets open it: a mark of its encoding, and quotes where needed."""
    lines = (sign.join(_quoted(guarded(cell)) for cell in row) for row in grid)
    return "\ufeff".encode() + "".join(f"{line}\r\n" for line in lines).encode()


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell


@dataclass(frozen=True, slots=True)
class Page:
    """A sheet of a workbook: its cells, and how it looks. Widths are in characters.

    `choices` are offered in a column (from 0) below the header. `frozen` columns stay in sight.
    `strong` rows (from 0) stand out.
    """

    title: str
    grid: Sequence[Sequence[str]]
    widths: Sequence[float]
    tints: Sequence[Tint]
    choices: Mapping[int, Sequence[str]] = field(default_factory=dict)
    frozen: int = 0
    strong: Collection[int] = frozenset({0})


def as_workbook(pages: Sequence[Page]) -> bytes:
    """Write a workbook: every cell a text that stays one; the same pages give the same bytes."""
    book = Workbook(write_only=True)
    book.properties.creator = "Ochenta"
    book.properties.created = _MADE
    for page in pages:
        _add(book, page)
    held = BytesIO()
    book.save(held)
    with ZipFile(held) as archive:
        return write_zip((name, _undated(archive.read(name))) for name in archive.namelist())


def fits_workbook(cell: str) -> bool:
    """Tell whether a cell of a workbook can hold this, all of it."""
    return len(_escaped(cell)) <= LONGEST and not ILLEGAL_CHARACTERS_RE.search(cell)


def _add(book: Workbook, page: Page) -> None:
    sheet = book.create_sheet(page.title)
    sheet.freeze_panes = f"{get_column_letter(page.frozen + 1)}2"
    sheet.sheet_view.showGridLines = False
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = "1:1"
    sheet.row_dimensions[1].height = _HEADING_HEIGHT
    for number, width in enumerate(page.widths, start=1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    for at, choices in page.choices.items():
        sheet.data_validations.append(_offered(at, choices))
    looks = Looks(sheet)
    for number, row in enumerate(page.grid):
        tints = page.tints if number == 0 else [None] * len(row)
        sheet.append(looks.row([*map(_escaped, row)], tints, strong=number in page.strong))


def _offered(at: int, choices: Sequence[str]) -> DataValidation:
    letter = get_column_letter(at + 1)
    found = DataValidation("list", formula1=f'"{",".join(choices)}"', allow_blank=True)
    found.add(f"{letter}2:{letter}{_MOST_ROWS}")
    return found


def _escaped(cell: str) -> str:
    """Write what looks like the escape of a character so that it is read back as it was."""
    return _ESCAPE.sub("_x005F_", cell)


def _undated(content: bytes) -> bytes:
    return _CHANGED.sub(_DATE, content)
