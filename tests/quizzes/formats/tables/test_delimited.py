"""Tables of text are read with their own lines, whichever sign parts their cells."""

import pytest

from quizzes.formats.spreadsheet.columns import count_columns
from quizzes.formats.tables import SheetTable, TableRow, read_delimited
from tests.cpu_time import measure_cpu


def table(text: str | bytes) -> SheetTable:
    data = text if isinstance(text, bytes) else text.encode()
    [table] = read_delimited(data, count_columns).tables
    return table


def rows(text: str | bytes) -> list[tuple[int, int, tuple[str, ...]]]:
    return [(row.line, row.end_line, row.cells) for row in table(text).rows]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_the_sign_is_the_one_that_makes_a_header(sign):
    text = f"Question{sign}Option A{sign}Correct\n1,2;3\t4{sign}b{sign}A\n"
    assert rows(text)[0][2] == ("Question", "Option A", "Correct")


def test_a_first_line_may_tell_the_sign():
    text = "sep=|\nQuestion|Correct\na|b\n"
    assert rows(text) == [(2, 2, ("Question", "Correct")), (3, 3, ("a", "b"))]


def test_without_a_header_commas_part():
    assert rows("a,b\n") == [(1, 1, ("a", "b"))]
    assert rows("") == []


def test_lines_are_those_of_the_file_also_within_cells():
    text = 'Question,Correct\r\n"one\r\ntwo",A\r\n\r\n,\r\nthree,B'
    assert rows(text) == [
        (1, 1, ("Question", "Correct")),
        (2, 3, ("one\ntwo", "A")),
        (6, 6, ("three", "B")),
    ]


def test_encodings_of_spreadsheets_are_read():
    text = "Pregunta;Correcta\n¿Sí?;«a»\n"
    for data in (text.encode("utf-8-sig"), text.encode("utf-16"), text.encode("cp1252")):
        assert rows(data)[1][2] == ("¿Sí?", "«a»")
    assert (
        read_delimited(text.encode("cp1252"), count_columns).notes[0].code == "read_as_windows_1252"
    )


def test_a_quote_left_open_costs_one_row_and_is_told():
    table_file = read_delimited(b'Question,Correct\na,A\n"b,B\nc,C\nd,"D\n', count_columns)
    assert [row.cells for row in table_file.tables[0].rows] == [
        ("Question", "Correct"),
        ("a", "A"),
        ('"b', "B"),
        ("c", "C"),
        ("d", '"D'),
    ]
    assert [(note.code, note.line) for note in table_file.notes] == [
        ("quote_left_open", 3),
        ("quote_left_open", 5),
    ]
    assert table_file.tables[0].rows[2].problems == {0: "quote_left_open"}


def test_quotes_that_belong_to_words_open_nothing():
    text = 'Question,Correct\n5" wide,A\nlast 5" line,B'
    assert [row[2][0] for row in rows(text)] == ["Question", '5" wide', 'last 5" line']


@pytest.mark.parametrize(
    "data",
    [
        b'"a\n' * 300_000 + b'"',
        b'"' * 2_000_000,
        b"," * 2_000_000,
        b"\n" * 500_000,
        b'a,"b\n' * 100_000,
        b"\x00" * 500_000,
    ],
    ids=["quotes", "only quotes", "only signs", "only lines", "open again", "nothing"],
)
def test_tables_made_to_hurt_end_at_once(data):
    assert measure_cpu(lambda: read_delimited(data, count_columns), tries=2) < 2


def test_the_text_of_a_row_leaves_empty_cells_out():
    assert TableRow(1, 1, ("", " ")).text == ""
    assert TableRow(1, 1, (" a", "", "b")).text == "a | b"
    assert TableRow(1, 1, ("a",)).cell(1) == ""
