"""Tables that people keep in files, row by row, whatever program saved them. Pure."""

from quizzes.formats.tables.delimited import delimited
from quizzes.formats.tables.grid import MOST_COLUMNS, Fits, Row, Table, Tables
from quizzes.formats.tables.workbooks import is_workbook, workbook

__all__ = ["MOST_COLUMNS", "Fits", "Row", "Table", "Tables", "delimited", "is_workbook", "workbook"]
