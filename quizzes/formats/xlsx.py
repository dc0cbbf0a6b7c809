"""Questions in a workbook (XLSX), one row a question, on any of its sheets."""

from collections.abc import Sequence

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile
from quizzes.formats.spreadsheet.columns import Column, count_columns
from quizzes.formats.spreadsheet.reader import read_sheets
from quizzes.formats.spreadsheet.workbook_layout import build_question_sheet
from quizzes.formats.spreadsheet.writer import build_sheet
from quizzes.formats.tables import TableFile, is_workbook, read_workbook
from quizzes.formats.tables.table_writer import fits_workbook, write_workbook

name = "xlsx"
extensions = ("xlsx", "xlsm", "xls")


def detect(data: bytes, filename: str) -> bool:
    """Return whether this is a workbook by its bytes, whatever is on its sheets."""
    return filename.lower().endswith(extensions) and is_workbook(data)


def read_questions(data: bytes) -> TableFile:
    """Return the sheets; of a workbook without a header, only where one was looked for."""
    return read_workbook(data, None, count_columns)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; sheets without questions are noted."""
    return read_sheets(read_questions(data), language, unescape=False)


def lines(data: bytes, member: str) -> Sequence[str]:
    """Return a line a row of a sheet; none of what cannot be read."""
    return read_questions(data).lines(member)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write all languages side by side, this one first; a text too long for a cell is a warning."""
    sheet = build_sheet(parsed_file)
    long = [row for row in sheet.rows if not all(map(fits_workbook, row.values()))]
    warnings = [ExportWarning(row[Column("name")], "cell_too_long") for row in long]
    sheet.rows = [row for row in sheet.rows if row not in long]
    data = write_workbook([build_question_sheet(sheet.cells(language), language)])
    return ExportResult(data, (*sheet.warnings, *warnings))
