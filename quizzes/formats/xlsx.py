"""Questions in a workbook (XLSX), one row a question, on any of its sheets."""

from collections.abc import Sequence

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile
from quizzes.formats.spreadsheet.pages import page
from quizzes.formats.spreadsheet.questions import parcel
from quizzes.formats.spreadsheet.writing import sheet
from quizzes.formats.tables import is_workbook, workbook
from quizzes.formats.tables.making import as_workbook, fits_workbook

name = "xlsx"
extensions = ("xlsx", "xlsm", "xls")


def detect(data: bytes, filename: str) -> bool:
    """Tell a workbook by its bytes, whatever is on its sheets."""
    return filename.lower().endswith(extensions) and is_workbook(data)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; sheets without questions are told."""
    return parcel(workbook(data), language, guarded=False)


def lines(data: bytes, member: str) -> Sequence[str]:
    """Give a line a row of a sheet; none of what cannot be read."""
    return workbook(data).lines(member)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write all languages side by side, this one first; a text too long for a cell is a loss."""
    made = sheet(parsed_file)
    long = [row for row in made.rows if not all(map(fits_workbook, row.values()))]
    warnings = [ExportWarning(row["name", "", ""], "cell_too_long") for row in long]
    made.rows = [row for row in made.rows if row not in long]
    title = "Preguntas" if language.startswith("es") else "Questions"
    data = as_workbook([page(title, made.grid(language), language)])
    return ExportResult(data, (*made.warnings, *warnings))
