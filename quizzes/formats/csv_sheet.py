"""Questions in a table of text (CSV, TSV), one row a question, as spreadsheets save it."""

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.spreadsheet.columns import fits
from quizzes.formats.spreadsheet.questions import parcel
from quizzes.formats.spreadsheet.writing import sheet
from quizzes.formats.tables import delimited
from quizzes.formats.tables.making import as_text

name = "csv"
extensions = ("csv", "tsv", "txt")

_NEAR = 100_000


def detect(data: bytes, filename: str) -> bool:
    """Tell a table by a header that asks for questions, and for options, answers or kinds."""
    if not filename.lower().endswith(extensions):
        return False
    [table] = delimited(data[:_NEAR], fits).tables
    return any(fits(row.cells) for row in table.rows[:20])


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; a row that is no question, and a column that is not known, are told."""
    return parcel(delimited(data, fits), language, guarded=True)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write all languages side by side, this one first; in Spanish as spreadsheets in Spain do."""
    made = sheet(parsed_file)
    sign = ";" if language.startswith("es") else ","
    return ExportResult(as_text(made.grid(language), sign), tuple(made.warnings))
