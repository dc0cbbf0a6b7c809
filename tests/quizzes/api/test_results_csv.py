"""The table of results: no cell is live, numbers stay numbers."""

import csv
import io
from fractions import Fraction

import pytest

from quizzes.api.results_csv import COLUMNS, format_cell
from tests.factories import create_quiz
from tests.quizzes.api.programs import program, taken

LIVE = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    " =1",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1+1",
    "|calc",
    "%0A=1",
    '=HYPERLINK("x")',
    "\u00a0=1",
    "\ufeff=1",
]


@pytest.mark.parametrize("text", LIVE)
def test_what_a_sheet_would_run_is_written_as_text(text):
    assert format_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "-0.25", "12", "Ana", "O'Hara", "a=b", "", "50%"])
def test_what_a_sheet_would_not_run_stays_as_it_is(text):
    assert format_cell(text) == text


def test_values_are_written_plainly():
    assert [format_cell(v) for v in (None, True, False, 7, Fraction(2, 3))] == [
        "",
        "yes",
        "no",
        "7",
        "2/3",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["=1+1", 'a,"b"\nc', "-5"])
def test_names_and_titles_from_people_come_out_harmless_and_whole(users, questions, name):
    users.learner.name = users.learner.school_id = name
    users.learner.save()
    exam = create_quiz(users, questions)
    taken(users.learner, exam, questions)
    answer = program(users.instructor).get("results.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "results.csv" in answer["Content-Disposition"]
    table = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode()))
    (line,) = table
    assert table.fieldnames == list(COLUMNS)
    assert line["learner_name"] == line["learner_school_id"] == format_cell(name)
    assert line["quiz_slug"] == "quiz"
