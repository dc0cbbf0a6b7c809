"""What is written as a table is the same whenever it is written, and nothing of it runs."""

from decimal import Decimal
from io import BytesIO
from zipfile import ZipFile

from openpyxl import load_workbook

from quizzes.formats.tables import read_workbook
from quizzes.formats.tables.table_writer import (
    MAX_CELL_LENGTH,
    HeadingColors,
    WorkbookSheet,
    fits_workbook,
    write_delimited,
    write_workbook,
)

GRID = [["Question", "Correct"], ["=1+1", "-5"], ["_x0041_ a", " two\nlines "]]
PAGE = WorkbookSheet(
    "Questions",
    GRID,
    [20, 10],
    [HeadingColors(), HeadingColors("14633A")],
    {1: ["A", "B"]},
    frozen=1,
)


def test_text_has_its_mark_its_quotes_and_no_live_cell():
    assert write_delimited(GRID, ",").decode("utf-8-sig").split("\r\n") == [
        "Question,Correct",
        "'=1+1,-5",
        '_x0041_ a," two\nlines "',
        "",
    ]


def test_cells_that_another_sign_would_part_are_quoted():
    assert b'"a;=1"' in write_delimited([["a;=1", "b"]], ",")
    assert b'"a,=1"' in write_delimited([["a,=1", "b"]], ";")


def test_a_workbook_is_the_same_whenever_it_is_written():
    data = write_workbook([PAGE])
    assert write_workbook([PAGE]) == data
    with ZipFile(BytesIO(data)) as archive:
        assert b"2000-01-01T00:00:00Z" in archive.read("docProps/core.xml")


def test_a_workbook_is_read_back_as_it_was_written():
    [table] = read_workbook(write_workbook([PAGE])).tables
    assert [list(row.cells) for row in table.rows] == GRID


def test_every_cell_is_a_text_and_live_ones_stay_so():
    sheet = load_workbook(BytesIO(write_workbook([PAGE])))["Questions"]
    types = {cell.data_type for row in sheet.iter_rows() for cell in row}
    assert types == {"s"}
    assert sheet["A2"].quotePrefix
    assert not sheet["B2"].quotePrefix


def test_a_number_is_one_in_a_workbook_and_plain_in_text():
    page = WorkbookSheet(
        "Grades", [["Points"], [Decimal("26.333333")], [7], ["7"]], [20], [HeadingColors()]
    )
    sheet = load_workbook(BytesIO(write_workbook([page])))["Grades"]
    assert [sheet[place].data_type for place in ("A1", "A2", "A3", "A4")] == ["s", "n", "n", "s"]
    assert [sheet[place].value for place in ("A2", "A3", "A4")] == [26.333333, 7, "7"]
    assert write_delimited([[Decimal("-0.5"), 7]], ",") == b"\xef\xbb\xbf-0.5,7\r\n"


def test_the_header_stays_in_sight_and_stands_out():
    sheet = load_workbook(BytesIO(write_workbook([PAGE])))["Questions"]
    assert sheet.freeze_panes == "B2"
    assert (sheet["A1"].font.b, sheet["A2"].font.b) == (True, False)
    assert [sheet[place].fill.start_color.rgb for place in ("A1", "B1")] == ["007B1D6A", "0014633A"]
    assert sheet.column_dimensions["A"].width == 20
    [offered] = sheet.data_validations.dataValidation
    assert (offered.formula1, str(offered.sqref)) == ('"A,B"', "B2:B2000")


def test_what_no_cell_can_hold_is_known():
    assert fits_workbook("a" * MAX_CELL_LENGTH)
    assert not fits_workbook("a" * (MAX_CELL_LENGTH + 1))
    assert not fits_workbook("a\x01")
