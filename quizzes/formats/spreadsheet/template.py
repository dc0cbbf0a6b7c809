"""The sheet to begin with: header, three examples in two languages, and how to fill it in.

Its words stand in two tables beside this module, in English and Spanish.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from quizzes.formats.spreadsheet.columns import parse_header
from quizzes.formats.spreadsheet.workbook_layout import build_question_sheet
from quizzes.formats.spreadsheet.writer import QuestionSheet
from quizzes.formats.tables import read_delimited
from quizzes.formats.tables.table_writer import (
    HeadingColors,
    WorkbookSheet,
    write_delimited,
    write_workbook,
)


def read_template_table(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a table beside this module: `questions`, or `guide`.

    A row of the guide is what it explains and the explanation, each in English and Spanish.
    """
    path = Path(__file__).with_name(f"template_{name}.csv")
    [table] = read_delimited(path.read_bytes(), len).tables
    return [row.cells for row in table.rows]


def write_template_workbook(language: str) -> bytes:
    """Return the template as a workbook, its headings in English or Spanish."""
    questions = build_question_sheet(_build_examples().cells(language), language)
    return write_workbook([questions, _build_guide(language)])


def write_template_csv(language: str) -> bytes:
    """Return the template as text, as spreadsheets of that language open it."""
    return write_delimited(
        _build_examples().cells(language), ";" if language.startswith("es") else ","
    )


def _build_examples() -> QuestionSheet:
    header, *rows = read_template_table("questions")
    columns = parse_header(header).values()
    return QuestionSheet([dict(zip(columns, row, strict=True)) for row in rows])


def _build_guide(language: str) -> WorkbookSheet:
    """Return the instructions: the word in this language, then the sentence in both."""
    spanish = language.startswith("es")
    rows = read_template_table("guide")
    return WorkbookSheet(
        "Instrucciones" if spanish else "Instructions",
        [[row[spanish], *row[2:]] for row in rows],
        widths=[24, 70, 70],
        colors=[HeadingColors()] * 3,
        bold={0, *(place for place, row in enumerate(rows) if row[:2] == row[2:])},
    )


TEMPLATE_WRITERS: Mapping[str, Callable[[str], bytes]] = {
    "xlsx": write_template_workbook,
    "csv": write_template_csv,
}
"""Writes the template in a language, by the ending of its file."""
