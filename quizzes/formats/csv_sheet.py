"""Questions in a table of text (CSV, TSV), one row a question, as spreadsheets save it."""

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.spreadsheet.columns import count_columns
from quizzes.formats.spreadsheet.reader import read_sheets
from quizzes.formats.spreadsheet.writer import build_sheet
from quizzes.formats.tables import read_delimited
from quizzes.formats.tables.table_writer import write_delimited

name = "csv"
extensions = ("csv", "tsv", "txt")

_DETECTED_BYTES = 100_000


def detect(data: bytes, filename: str) -> bool:
    """Return whether a header asks for questions, and for options, answers or kinds."""
    if not filename.lower().endswith(extensions):
        return False
    [table] = read_delimited(data[:_DETECTED_BYTES], count_columns).tables
    return table.find_header(count_columns) is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; a row that is no question, and a column that is not known, are noted."""
    return read_sheets(read_delimited(data, count_columns), language, unescape=True)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write all languages side by side, this one first; in Spanish as spreadsheets in Spain do."""
    sheet = build_sheet(parsed_file)
    delimiter = ";" if language.startswith("es") else ","
    return ExportResult(write_delimited(sheet.cells(language), delimiter), tuple(sheet.warnings))
