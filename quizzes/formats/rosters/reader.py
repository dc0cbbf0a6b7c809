"""From the bytes of a list to its people, whatever it is."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.packages import is_zip, open_package
from quizzes.formats.rosters.headings import (
    EMAIL,
    FAMILY,
    GIVEN,
    NAME,
    SCHOOL_ID,
    count_headings,
    find_columns,
)
from quizzes.formats.rosters.loose_lines import read_loose_cells, read_loose_lines
from quizzes.formats.rosters.oneroster import read_package
from quizzes.formats.rosters.people import (
    ADDRESS,
    ListedPerson,
    RosterFile,
    build_person,
    join_name,
)
from quizzes.formats.tables import SheetTable, TableRow, is_workbook, read_delimited, read_workbook

MAX_PEOPLE: Final = 2_000
"""In one list."""


def read_roster(data: bytes, section: str = "") -> RosterFile:
    """Return the people of a list; what cannot be read has errors and nobody.

    `section` is the id of a class of a OneRoster package.
    """
    roster = _read(data, section)
    if len(roster.people) > MAX_PEOPLE:
        message = f"a list may have {MAX_PEOPLE} people"
        return RosterFile(errors=(FileError(1, "", "roster_too_long", message),))
    if not roster.people and not roster.errors:
        return RosterFile(errors=(FileError(1, "", "roster_empty", "it names nobody"),))
    return roster


def _read(data: bytes, section: str) -> RosterFile:
    if is_workbook(data):
        return _read_workbook(data)
    if is_zip(data):
        package = open_package(data)
        if isinstance(package, FileError):
            return RosterFile(errors=(package,))
        return read_package(package, section)
    tables = read_delimited(data, count_headings)
    (table,) = tables.tables
    header = table.find_header(count_headings)
    if header is not None:
        return _limit(_read_table(table, header))
    return _limit(read_loose_lines(decode(data)[0]))


def _read_workbook(data: bytes) -> RosterFile:
    """Return the people of the first sheet that has any."""
    workbook = read_workbook(data, MAX_PEOPLE * 2)
    for table in workbook.tables:
        header = table.find_header(count_headings)
        if header is not None:
            return _limit(_read_table(table, header))
        if any(ADDRESS.search(cell) for row in table.rows for cell in row.cells):
            rows = (read_loose_cells(row.line, row.cells, _problem(row)) for row in table.rows)
            return _limit(rows)
    return RosterFile(errors=workbook.errors)


def _limit(people: Iterable[ListedPerson]) -> RosterFile:
    return RosterFile(tuple(islice(people, MAX_PEOPLE + 1)))


def _read_table(table: SheetTable, header: int) -> Iterable[ListedPerson]:
    columns = find_columns(table.rows[header].cells)
    return (_read_row(row, columns) for row in table.rows[header + 1 :] if row.text)


def _read_row(row: TableRow, columns: Mapping[int, str]) -> ListedPerson:
    def read(column: str) -> Sequence[str]:
        cells = (row.cell(place).strip() for place, name in columns.items() if name == column)
        return [cell for cell in cells if cell]

    emails, school_ids = read(EMAIL), read(SCHOOL_ID)
    first = emails[0] if emails else ""
    address = ADDRESS.search(first)
    return build_person(
        row.line,
        email=address[0] if address and "<" in first else first,
        name=join_name(read(NAME)) or " ".join([*read(GIVEN), *read(FAMILY)]),
        school_id=school_ids[0] if school_ids else "",
        problem=_problem(row, columns),
    )


def _problem(row: TableRow, columns: Mapping[int, str] | None = None) -> str:
    """Return the code of what is wrong with the cells of a row that are read."""
    problems = row.problems.items()
    return next((code for place, code in problems if columns is None or place in columns), "")
