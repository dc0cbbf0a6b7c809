"""In which language the columns of a sheet are that do not tell theirs."""

from quizzes.formats.parsing.languages import detect_language
from quizzes.formats.spreadsheet.columns import SPOKEN, fits, headings
from quizzes.formats.tables import Table, Tables

_NEAR = 20
"""Rows at the top among which the header is looked for."""


def header(table: Table) -> int | None:
    """Give the place of the first row that can be the header, among those at the top."""
    return next((at for at, row in enumerate(table.rows[:_NEAR]) if fits(row.cells)), None)


def speech(tables: Tables, language: str) -> tuple[str, bool]:
    """Give the language of columns that tell none, and whether it is known, or no such is there."""
    untold, said = list[str](), list[str]()
    for table in tables.tables:
        if (start := header(table)) is None:
            continue
        columns = headings(table.rows[start].cells)
        said += [one.language for one in columns.values() if one.language]
        at = [n for n, one in columns.items() if one.part in SPOKEN and not one.language]
        below = (one.cells for one in table.rows[start + 1 :])
        untold += [cells[n] for cells in below for n in at if n < len(cells)]
    if not untold and said:
        return language or said[0], True
    found = language or detect_language("\n".join(untold))
    return found or "en", bool(found)
