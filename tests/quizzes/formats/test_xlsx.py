"""Questions in workbooks: what spreadsheets do to them is undone where it can be, else told."""

import time
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook

from quizzes.formats import FORMATS, builders, xlsx
from quizzes.formats.builders import Head
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.formats.parsing.packages import write_zip
from quizzes.imports.parse import parse_upload
from quizzes.presentation.messages.import_notes import NOTES
from quizzes.presentation.messages.imports import FILE_ERRORS
from tests.quizzes.imports import questions as made
from tests.quizzes.imports.workbooks import HEADER, ROW, workbook

QUIRKS = Path(__file__).parents[3] / "fixtures/formats/sheet/quirks.xlsx"


@pytest.fixture(scope="module")
def quirks() -> ParsedFile:
    return xlsx.read(QUIRKS.read_bytes())


def at(quirks: ParsedFile, line: int) -> SourceItem:
    return next(item for item in quirks.items if (item.archive_path, item.line) == ("Unit 1", line))


def test_a_workbook_is_claimed_by_its_bytes():
    assert detect_format(QUIRKS.read_bytes(), "Questions.XLSX") is FORMATS["xlsx"]
    assert not xlsx.detect(QUIRKS.read_bytes(), "questions.zip")
    assert not xlsx.detect(write_zip([("quiz.xml", b"<a/>")]), "questions.xlsx")


VERDICTS = {
    4: ("single_choice", "imported", set()),
    5: ("multiple_choice", "repaired", {"merged_cell_filled", "number_as_list"}),
    6: ("multiple_choice", "repaired", {"merged_cell_filled"}),
    7: ("single_choice", "needs_review", {"cell_is_date"}),
    8: ("true_false", "repaired", {"merged_cell_filled"}),
    9: ("numeric", "imported", set()),
    10: ("single_choice", "needs_review", {"formula_without_value", "answer_unknown"}),
    11: ("single_choice", "needs_review", {"cell_has_error", "points_unreadable"}),
    12: ("short_text", "imported", set()),
    15: ("single_choice", "imported", set()),
}


def test_every_row_has_its_verdict_with_its_reasons(quirks):
    outcomes = {
        item.line: (item.kind, item.status, {note.code for note in item.notes})
        for item in quirks.items
        if item.archive_path == "Unit 1"
    }
    assert outcomes == VERDICTS
    assert sum(quirks.counts().values()) == len(quirks.items) == 11
    assert quirks.items[-1].archive_path == "Old"


def test_what_lies_around_the_rows_is_told(quirks):
    assert [(note.code, note.line, note.quote) for note in quirks.ignored_lines] == [
        ("macros_left_out", 1, ""),
        ("links_left_out", 1, ""),
        ("pictures_in_sheet", 1, ""),
        ("cell_comments_left_out", 1, ""),
        ("sheet_hidden", 1, "Old"),
        ("row_before_header", 1, "Unit 1: Unit 1: rivers and numbers"),
        ("column_unknown", 3, "Unit 1: No."),
        ("sheet_without_header", 1, "Notes"),
    ]
    notes = [*quirks.ignored_lines, *(note for item in quirks.items for note in item.notes)]
    assert {note.code for note in notes} <= NOTES.keys()


def test_values_are_what_was_meant(quirks):
    merged, weighed, formula, words = (at(quirks, line).question for line in (5, 6, 9, 12))
    assert merged
    assert weighed
    assert formula
    assert words
    weights = [row.values["weight"] for row in weighed.tables["options"]]
    assert weights == [[1, 2], [1, 2], [0, 1]]
    assert formula.tables["numbers"][0].values["value"] == "0.3"
    assert [row.values["text"] for row in words.tables["accepted"]] == ["=", "equals"]
    assert merged.tags == ("rivers",)


def test_a_cell_that_looks_like_a_formula_is_words(quirks):
    question = at(quirks, 15).question
    assert question
    assert next(iter(question.texts.values())) == {"en": r"\=SUM(A1)"}


def test_an_empty_workbook_holds_nothing():
    workbook_file = xlsx.read(workbook({"S": []}))
    assert (workbook_file.items, workbook_file.ignored_lines, workbook_file.errors) == ((), (), ())


def test_a_broken_workbook_is_a_trouble_with_its_words():
    [trouble] = xlsx.read(QUIRKS.read_bytes()[:2000]).errors
    assert trouble.message


def test_a_text_too_long_for_a_cell_is_a_loss():
    long = builders.build_essay(Head(1, "long", "en", "a" * 33_000))
    short = builders.build_essay(Head(1, "short", "en", "a"))
    written = xlsx.write(made.parcel(long, short), language="en")
    assert [(loss.question, loss.code) for loss in written.warnings] == [("long", "cell_too_long")]
    assert [item.name for item in xlsx.read(written.data).items] == ["short"]


def test_points_and_the_sheet_s_name_go_along():
    data = workbook({"Unit": [[*HEADER, "Points"], [*ROW, 2.5]]})
    [item] = xlsx.read(data, language="en").items
    assert (item.points, item.archive_path) == (Fraction(5, 2), "Unit")
    again = xlsx.read(xlsx.write(ParsedFile(items=(item,)), language="es").data)
    assert (again.items[0].points, again.items[0].archive_path) == (Fraction(5, 2), "Preguntas")


def test_thousands_of_rows_are_read_in_a_few_seconds():
    rows = [[f"Question {n}?", f"{n} is this", f"{n} is that", "A"] for n in range(5_000)]
    data = workbook({"S": [HEADER, *rows]})
    began = time.process_time()
    items = xlsx.read(data, language="en").items
    assert time.process_time() - began < 25
    assert len(items) == 5_000
    assert {item.status for item in items} == {ImportStatus.IMPORTED}


def test_the_rows_of_a_sheet_stand_for_its_lines():
    data = workbook({"S": [HEADER, [], ROW], "T": [["x"]]})
    assert xlsx.lines(data, "S")[1:] == ["", " | ".join(filter(None, map(str, ROW)))]
    assert (xlsx.lines(data, "T"), xlsx.lines(data, "none"), xlsx.lines(b"PK", "S")) == (
        ["x"],
        [],
        [],
    )


def write_book(*sheets: list[list[str]]) -> bytes:
    """Return a workbook with these rows on its sheets."""
    book, file = Workbook(write_only=True), BytesIO()
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([["Rivers are long."], ["Some are wide."]], "text_in_sheet"),
        ([["Ann", "3", "no", "yes", "0"], ["Bob", "4", "no", "no", "1"]], "no_header"),
    ],
)
def test_a_workbook_without_any_header_is_refused_and_says_what_to_do(rows, code):
    parsed_file = parse_upload(write_book(rows), "a.xlsx")
    assert ([error.code for error in parsed_file.errors], parsed_file.items) == ([code], ())
    assert code in FILE_ERRORS


def test_a_workbook_with_one_header_is_read_whatever_its_other_sheets_have():
    questions = [["Question", "Correct"], ["Who?", "Ann"]]
    parsed_file = parse_upload(write_book([["Which? {=this ~that}"]], questions), "a.xlsx")
    assert (parsed_file.errors, len(parsed_file.items)) == ((), 1)
