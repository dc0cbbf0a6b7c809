"""Questions in a table of text (CSV, TSV), one row a question, as spreadsheets save it."""

import csv
from collections.abc import Sequence

from quizzes.formats.anki_tsv import ASKED_COLUMNS, find_separator
from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.question_shapes import is_header
from quizzes.formats.spreadsheet.columns import count_columns
from quizzes.formats.spreadsheet.reader import read_sheets
from quizzes.formats.spreadsheet.writer import build_sheet
from quizzes.formats.tables import read_delimited
from quizzes.formats.tables.table_writer import write_delimited

name = "csv"
extensions = ("csv", "tsv", "txt")

_DETECTED_BYTES = 100_000
_TOP_LINES = 60
"""Lines at the top that hold the rows among which a header is looked for."""


def detect(data: bytes, filename: str) -> bool:
    """Return whether a header asks for questions, and for options, answers or kinds."""
    if not filename.lower().endswith(extensions):
        return False
    data = _drop_above_header(data[:_DETECTED_BYTES])
    [table] = read_delimited(data, count_columns).tables
    return table.find_header(count_columns) is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; a row that is no question, and a column that is not known, are noted."""
    table_file = read_delimited(_drop_above_header(data), count_columns)
    return read_sheets(table_file, language, unescape=True)


def _drop_above_header(data: bytes) -> bytes:
    """Return a text without what stands above its header, where that is no row near its top."""
    lines = decode(data)[0].split("\n")
    filled = [place for place, line in enumerate(lines) if line.strip()]
    if len(filled) <= _TOP_LINES:
        return data
    [top] = read_delimited(_encode(lines[: filled[_TOP_LINES]]), count_columns).tables
    if top.find_header(count_columns) is not None:
        return data
    place = next((place for place in filled if is_header(lines[place])), 0)
    return _encode([*[""] * place, *lines[place:]]) if place else data


def _encode(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode(errors="surrogatepass")


def name_columns(data: bytes) -> bytes:
    """Return a text of two columns without headings as one that asks for words; b"" of any other.

    The headings are a row above it.
    """
    text = decode(data)[0]
    separator = find_separator(text)
    first = next((line for line in text.split("\n") if line.strip()), "")
    columns = len(next(csv.reader([first], delimiter=separator))) if separator else 0
    if columns != ASKED_COLUMNS:
        return b""
    return f"question{separator}correct\n{text}".encode(errors="surrogatepass")


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write all languages side by side, this one first; in Spanish as spreadsheets in Spain do."""
    sheet = build_sheet(parsed_file)
    delimiter = ";" if language.startswith("es") else ","
    return ExportResult(write_delimited(sheet.cells(language), delimiter), tuple(sheet.warnings))
