"""Tables that people keep in files, row by row, whatever program saved them. Pure."""

from quizzes.formats.tables.delimited import read_delimited
from quizzes.formats.tables.rows import (
    HEADER_ROWS,
    MOST_COLUMNS,
    CountColumns,
    SheetTable,
    TableFile,
    TableRow,
)
from quizzes.formats.tables.workbook_reader import is_workbook, read_workbook

__all__ = [
    "HEADER_ROWS",
    "MOST_COLUMNS",
    "CountColumns",
    "SheetTable",
    "TableFile",
    "TableRow",
    "is_workbook",
    "read_delimited",
    "read_workbook",
]
