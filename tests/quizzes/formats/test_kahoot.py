"""The sheet of Kahoot is read row by row; its numbers are places, and its times are told."""

from pathlib import Path
from typing import Any

import pytest

from quizzes.formats import FORMATS, WRITERS, kahoot
from quizzes.formats.contract import ParsedFile, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.presentation.messages.import_notes import NOTES
from tests.quizzes.imports.workbooks import workbook

OWN = Path(__file__).parents[3] / "fixtures/formats/kahoot"
FILES = ("excel-spain.csv", "quiz.xlsx")
HEADER = "Question,Answer 1,Answer 2,Answer 3,Answer 4,Time limit (sec),Correct answer(s)"


def parcel(name: str) -> ParsedFile:
    return kahoot.read((OWN / name).read_bytes())


def one(row: str, **more: Any) -> SourceItem:
    [item] = kahoot.read(f"{HEADER}\n{row}\n".encode(), **{"language": "en", **more}).items
    return item


def right(item: SourceItem) -> str:
    assert item.question
    rows = item.question.tables["options"]
    return "".join(row.name[0] for row in rows if row.values["right"])


@pytest.mark.parametrize("name", FILES)
def test_it_is_claimed_before_other_sheets_and_every_note_has_its_sentence(name):
    assert detect_format((OWN / name).read_bytes(), name) is FORMATS["kahoot"]
    parsed_file = parcel(name)
    notes = [
        *parsed_file.ignored_lines,
        *(note for item in parsed_file.items for note in item.notes),
    ]
    assert {note.code for note in notes} <= NOTES.keys()
    assert sum(parsed_file.counts().values()) == len(parsed_file.items)


ROWS = {
    9: ("single_choice", "imported", "b", set()),
    10: ("multiple_choice", "imported", "ac", set()),
    11: ("multiple_choice", "repaired", "ac", {"number_as_list"}),
    12: ("true_false", "imported", "f", set()),
    13: ("single_choice", "imported", "a", set()),
    14: ("single_choice", "imported", "c", set()),
    15: ("single_choice", "needs_review", "", {"key_unknown"}),
    16: ("single_choice", "needs_review", "", {"answer_unknown"}),
    17: ("single_choice", "needs_review", "a", {"prompt_missing"}),
    18: ("single_choice", "needs_review", "a", {"too_few_options"}),
    19: ("single_choice", "needs_review", "a", {"cell_is_date"}),
    20: ("multiple_choice", "imported", "bc", set()),
    21: ("single_choice", "needs_review", "", {"cell_is_date", "answer_unknown"}),
}


def test_every_row_has_its_verdict_with_its_reasons():
    outcomes = {
        item.line: (
            item.kind,
            item.status,
            right(item),
            {note.code for note in item.notes} - {"time_limit_left_out"},
        )
        for item in parcel("quiz.xlsx").items
    }
    assert outcomes == ROWS


def test_what_stands_around_the_questions_is_told():
    assert [(note.code, note.line) for note in parcel("quiz.xlsx").ignored_lines] == [
        ("row_before_header", 2),
        ("row_before_header", 3),
        ("row_before_header", 4),
        ("column_unknown", 8),
        ("sheet_without_header", 1),
    ]


def test_time_limits_are_told_and_mend_nothing():
    item = one("Who?,Ann,Bob,,,20,1")
    assert [(note.code, note.quote) for note in item.notes] == [("time_limit_left_out", "20")]
    assert item.status == "imported"
    assert one("Who?,Ann,Bob,,,,1").notes == ()


def test_the_form_in_spanish_is_read_too():
    parsed_file = parcel("excel-spain.csv")
    assert parsed_file.metadata.language == "es"
    assert [(item.kind, right(item)) for item in parsed_file.items] == [
        ("single_choice", "a"),
        ("true_false", "t"),
        ("single_choice", "a"),
    ]
    assert [note.code for note in parsed_file.ignored_lines] == ["read_as_windows_1252"]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("2", "b"), ('"1,3"', "ac"), ("1;3", "ac"), ("1 3", "ac"), ("1.3", "ac"), ('"3,9"', "c")],
)
def test_right_answers_are_numbers_of_places(cell, expected):
    assert right(one(f"Which?,3,1,2,4,20,{cell}")) == expected


def test_true_and_false_may_stand_in_either_order():
    assert (one("So?,False,True,,,5,1").kind, right(one("So?,False,True,,,5,1"))) == (
        "true_false",
        "f",
    )
    assert one("So?,True,False,Perhaps,,5,1").kind == "single_choice"
    assert one('So?,True,False,,,5,"1,2"').kind == "multiple_choice"


def test_words_show_as_they_were_typed():
    question = one("What is a*b*c?,_x_,`y`,,,5,1").question
    assert question
    assert next(iter(question.texts.values()))["en"] == r"What is a\*b\*c?"


def test_rows_with_a_time_alone_are_no_questions():
    assert kahoot.read(f"{HEADER}\n,,,,,20,\n".encode()).items == ()


def test_a_language_that_nothing_tells_is_said_to_be_unknown():
    data = f"{HEADER}\nX?,y,z,,,5,1\n".encode()
    assert kahoot.read(data).ignored_lines[-1].code == "language_unknown"
    assert kahoot.read(data, language="es").metadata.language == "es"


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (b"Question,Answer 1,Answer 2,Correct\n", "a.csv"),
        (f"{HEADER}\n".encode(), "a.txt"),
        (b"", "a.csv"),
        (workbook({"S": [["Question", "A", "Correct"]]}), "a.xlsx"),
        (b"PK\x03\x04", "a.xlsx"),
    ],
)
def test_other_sheets_are_not_claimed(data, filename):
    assert not kahoot.detect(data, filename)


def test_it_is_read_only():
    assert "kahoot" in FORMATS
    assert "kahoot" not in WRITERS


def test_a_broken_workbook_is_a_trouble():
    assert kahoot.read((OWN / "quiz.xlsx").read_bytes()[:999]).errors


def test_the_preview_shows_rows_of_sheets_and_lines_of_texts():
    assert kahoot.lines(workbook({"S": [["a", "b"]]}), "S") == ["a | b"]
    assert kahoot.lines(b"a,b\nc", "") == ["a,b", "c"]
