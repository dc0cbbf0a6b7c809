"""Workbooks are read by value, sheet by sheet, and those made to hurt are not opened."""

import time
import tracemalloc
from datetime import date, timedelta
from datetime import time as hour
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.chart import BarChart

from quizzes.formats.parsing.packages import write_zip
from quizzes.formats.spreadsheet.columns import count_columns
from quizzes.formats.tables import (
    HEADER_ROWS,
    SheetTable,
    TableFile,
    is_workbook,
    read_workbook,
)
from tests.quizzes.imports.workbooks import changed, saved, worked_out
from tests.quizzes.imports.workbooks import workbook as build_workbook

SHEET = "xl/worksheets/sheet1.xml"


def cells(*rows: list[object]) -> list[tuple[str, ...]]:
    return [
        row.cells for row in only(read_workbook(build_workbook({"S": list(map(list, rows))}))).rows
    ]


def only(table_file: TableFile) -> SheetTable:
    [table] = table_file.tables
    return table


def code(data: bytes) -> str:
    workbook = read_workbook(data)
    assert workbook.tables == ()
    [trouble] = workbook.errors
    return trouble.code


def test_values_are_texts_as_their_sheet_shows_them():
    row = ["a", 3, 2.0, 0.1 + 0.2, 1e-7, 12345678901234567890, True, None, "end\r\n"]
    assert cells(row) == [
        ("a", "3", "2", "0.3", "0.0000001", "12345678901234600000", "true", "", "end\n")
    ]


def test_what_is_no_text_or_number_is_told_by_its_column():
    rows = [["a", date(2026, 2, 1), hour(10, 30), timedelta(hours=30), "#REF!"]]

    def dressed(book: Workbook) -> None:
        book["S"]["E1"].data_type = "e"

    [row] = only(read_workbook(build_workbook({"S": rows}, dressed))).rows
    assert row.cells[1].startswith("2026-02-01")
    assert row.problems == {
        1: "cell_is_date",
        2: "cell_is_date",
        3: "cell_is_date",
        4: "cell_has_error",
    }


def test_shares_are_told_in_per_cent():
    def dressed(book: Workbook) -> None:
        for place in ("A1", "B1", "C1"):
            book["S"][place].number_format = "0.00%"

    [row] = only(read_workbook(build_workbook({"S": [[0.5, 1 / 3, -1]]}, dressed))).rows
    assert row.cells == ("50%", "33.3333333333333%", "-100%")


def test_formulas_have_the_value_they_had_and_are_told_without():
    data = build_workbook({"S": [["=1+1", "a"], ["=A1"], ["b"]]})
    first, second, third = only(read_workbook(changed(data, {SHEET: worked_out({"A1": "2"})}))).rows
    assert (first.cells, first.problems) == (("2", "a"), {})
    assert (second.cells, second.problems) == (("=A1",), {0: "formula_without_value"})
    assert (third.line, third.cells) == (3, ("b",))


def test_every_sheet_with_rows_is_read_and_hidden_ones_are_told():
    def dressed(book: Workbook) -> None:
        book["Two"].sheet_state = "veryHidden"

    workbook = read_workbook(
        build_workbook({"One": [["a"]], "Two": [["b"]], "Three": [[None], [" "]]}, dressed)
    )
    assert [table.name for table in workbook.tables] == ["One", "Two"]
    assert [(note.code, note.quote) for note in workbook.notes] == [("sheet_hidden", "Two")]


def test_rows_keep_their_numbers_and_empty_ones_are_left_out():
    rows = only(read_workbook(build_workbook({"S": [[], ["a"], [], [None, "b"]]}))).rows
    assert [(row.line, row.end_line, row.cells) for row in rows] == [
        (2, 2, ("a",)),
        (4, 4, ("", "b")),
    ]


def test_merged_cells_lend_their_value_downwards():
    def dressed(book: Workbook) -> None:
        for area in ("A1:A3", "B1:C1"):
            book["S"].merge_cells(area)

    rows = only(
        read_workbook(
            build_workbook({"S": [["t", "x"], [None, "y"], [None, "z"], [None, "w"]]}, dressed)
        )
    )
    assert [row.merged for row in rows.rows] == [{}, {0: "t"}, {0: "t"}, {}]


def test_what_lies_beside_the_cells_is_told_and_not_opened():
    data = changed(
        build_workbook({"S": [["a"]]}),
        {
            "xl/vbaProject.bin": lambda _: b"\x00",
            "xl/externalLinks/externalLink1.xml": lambda _: b"<broken",
            "xl/media/image1.png": lambda _: b"\x89PNG",
        },
    )
    codes = [note.code for note in read_workbook(data).notes]
    assert codes == ["macros_left_out", "links_left_out", "pictures_in_sheet"]


def test_columns_beyond_the_most_are_told():
    data = build_workbook({"S": [["a"] * 250]})
    workbook = read_workbook(data)
    assert len(only(workbook).rows[0].cells) == 200
    assert workbook.notes[0].code == "columns_left_out"


def test_a_wrong_size_of_a_sheet_hides_nothing():
    def lie(content: bytes) -> bytes:
        assert b'ref="A1:A2"' in content
        return content.replace(b'ref="A1:A2"', b'ref="A1:A1"')

    assert (
        len(only(read_workbook(changed(build_workbook({"S": [["a"], ["b"]]}), {SHEET: lie}))).rows)
        == 2
    )


def test_escaped_characters_are_the_characters():
    assert cells(["a_x000D_\nb", "_x005F_x0041_"]) == [("a\nb", "_x0041_")]


def test_a_workbook_is_known_by_its_bytes():
    assert is_workbook(build_workbook({"S": [["a"]]}))
    assert is_workbook(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99)
    assert not is_workbook(write_zip([("a.xml", b"<a/>")]))
    assert not is_workbook(b"xl/workbook.xml")


def test_old_and_locked_workbooks_say_what_to_do():
    workbook = read_workbook(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99)
    assert workbook.errors[0].code == "workbook_old"
    assert "save it as .xlsx" in workbook.errors[0].message


@pytest.mark.parametrize(
    "data",
    [
        write_zip([("xl/workbook.xml", b"<workbook/>")]),
        changed(build_workbook({"S": [["a"]]}), {SHEET: lambda _: b"<worksheet><sheetData><row"}),
        changed(
            build_workbook({"S": [["a"]]}), {SHEET: lambda xml: xml.replace(b'r="A1"', b'r="?"')}
        ),
        changed(build_workbook({"S": [[1]]}), {SHEET: lambda xml: xml.replace(b">1<", b">x<")}),
    ],
)
def test_a_broken_workbook_is_refused(data):
    assert code(data) == "workbook_damaged"


def test_a_package_cut_short_is_refused():
    assert code(build_workbook({"S": [["a"]]})[:-30]) == "package_damaged"


def with_sheet(content: bytes) -> bytes:
    return changed(build_workbook({"S": [["a"]]}), {SHEET: lambda _: content})


ROWS = b"<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData>"
ENTITY = b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "content",
    [
        ENTITY + b"<worksheet>&b;</worksheet>",
        (ENTITY.decode() + "<worksheet/>").encode("utf-16"),
        b"\xef\xbb\xbf" + ENTITY + b"<worksheet/>",
        "<?xml version='1.0' encoding='cp037'?><worksheet/>".encode("cp1252"),
        b"<a>" * 200_000,
        ROWS + b"<row/>" * 4_100_000,
    ],
    ids=["entities", "utf-16", "mark", "ebcdic", "deep", "many"],
)
def test_what_is_made_to_hurt_is_refused_at_once(content):
    data = with_sheet(content)
    began = time.process_time()
    assert code(data) in {"workbook_unsafe", "package_expands"}
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "content",
    [
        ROWS
        + b"<row r='999999999999'><c r='A1' t='str'><v>a</v></c></row></sheetData></worksheet>",
        ROWS
        + b"<row><c r='XFD1' t='str'><v>a</v></c></row>" * 20_000
        + b"</sheetData></worksheet>",
        ROWS + b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row></sheetData></worksheet>",
    ],
    ids=["far row", "far columns", "last cell"],
)
def test_cells_far_out_cost_nothing(content):
    data = with_sheet(content)
    began = time.process_time()
    read_workbook(data)
    assert time.process_time() - began < 8  # counting what is covered takes its time


def test_a_large_workbook_takes_little_memory():
    cell = b"<c t='inlineStr'><is><t>%b</t></is></c>" % (b"word " * 40)
    data = with_sheet(
        ROWS + (b"<row>" + cell * 5 + b"</row>") * 5_000 + b"</sheetData></worksheet>"
    )
    tracemalloc.start()
    read_workbook(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60_000_000


def test_addresses_outside_are_not_followed(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("told")
    rels = b"""<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
    <Relationship Id="rId1" Target="file://%b" TargetMode="External"
    Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>
    </Relationships>""" % str(secret).encode()
    data = changed(build_workbook({"S": [["a"]]}), {"xl/_rels/workbook.xml.rels": lambda _: rels})
    assert read_workbook(data).tables == ()


def test_a_sheet_of_charts_is_no_table():
    book = Workbook()
    book.create_chartsheet("Chart").add_chart(BarChart())
    book.worksheets[0].append(["a"])
    assert [table.name for table in read_workbook(saved(book)).tables] == ["Sheet"]


def test_without_a_header_on_any_sheet_the_rest_is_not_read():
    rows = [[f"a{number}", "b"] for number in range(50)]
    [table] = read_workbook(build_workbook({"S": rows}), None, count_columns).tables
    assert [row.cells[0] for row in table.rows] == [f"a{number}" for number in range(HEADER_ROWS)]


def test_with_a_header_on_one_sheet_all_sheets_are_read():
    rows = [[f"a{number}", "b"] for number in range(50)]
    data = build_workbook({"S": rows, "T": [["question", "correct"], ["Which?", "a"]]})
    first, second = read_workbook(data, None, count_columns).tables
    assert (len(first.rows), len(second.rows)) == (50, 2)
