"""The gradebook as a file that a registrar loads: numbers are numbers, a name is no formula."""

import csv
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from accounts.models import Group, Membership, Role, User
from quizzes.attempts import services as lifecycle
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.course_grades.models import MissingPolicy
from quizzes.course_grades.selectors import compute_course_totals, load_grade_rule
from quizzes.course_grades.services import CategoryInput, save_grade_scheme
from quizzes.presentation import gradebook_files, gradebook_tables
from quizzes.results.gradebook import build_rows, list_class_quizzes
from tests.attempt_helpers import start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.quizzes.statistics.attempt_histories import create_learners
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
QUERIES = 20


@pytest.fixture
def thirds(users):
    """A quiz of three questions of one point, as many attempts as one likes."""
    bank = create_bank(users)
    questions = [create_question(bank, f"q{n}", right="a", kind="single_choice") for n in range(3)]
    quiz = create_quiz(users, questions, shuffle_questions=False, window_attempts=None)
    quiz.title = {"en": "Thirds", "es": "Tercios"}
    quiz.save()
    return quiz


def address(group: Group) -> str:
    return reverse("admin:accounts_group_gradebook_export", args=[group.pk])


def export(person, group: Group, **fields: str):
    form = {"quiz": "", "rows": "grades", "format": "csv"} | fields
    return logged_in_client(person).get(address(group), form)


def close(response) -> int:
    """Read a response to its end, and return its status."""
    if response.streaming:
        response.getvalue()
    return int(response.status_code)


def read_csv(response) -> list[dict[str, str]]:
    assert response.status_code == 200
    return list(csv.DictReader(StringIO(response.getvalue().decode("utf-8-sig"))))


def read_xlsx(response) -> list[tuple[Any, ...]]:
    sheet = load_workbook(BytesIO(response.getvalue())).worksheets[0]
    return [tuple(row) for row in sheet.iter_rows(values_only=True)]


def test_final_grades_have_a_row_a_learner_with_exact_and_decimal_points(users, thirds):
    users.learner.school_id = "0042"
    users.learner.save()
    take_quiz(thirds, users.learner, {0: "a"})
    take_quiz(thirds, users.learner, {0: "a", 1: "a"})
    learner, other = read_csv(export(users.instructor, users.group))
    assert learner == {
        "Name": "Learner",
        "E-mail": "learner@example.org",
        "School id": "0042",
        "Thirds: points": "2",
        "Thirds: of": "3",
        "Thirds: per cent": "66.66",
        "Thirds: exact points": "2",
        "Thirds: state": "not passed",
    }
    assert (other["Name"], other["Thirds: points"], other["Thirds: state"]) == (
        "Other_Learner",
        "",
        "not begun",
    )


def test_in_a_workbook_numbers_are_numbers_and_a_school_id_stays_a_text(users, thirds):
    users.learner.school_id = "0042"
    users.learner.save()
    take_quiz(thirds, users.learner, {0: "a"})
    response = export(users.instructor, users.group, format="xlsx")
    assert response["Content-Disposition"].endswith('.xlsx"')
    heading, learner, _other = read_xlsx(response)
    row = dict(zip(heading, learner, strict=True))
    assert (row["School id"], row["Thirds: points"], row["Thirds: per cent"]) == ("0042", 1, 33.33)


def test_a_registrar_loads_every_number_of_the_workbook(users, thirds):
    """Journey (d): what openpyxl reads back are the figures of the selector, as numbers."""
    other = create_quiz(users, [thirds.sections.first().slots.first().question], slug="other")
    save_grade_scheme(
        group=users.group,
        categories=[CategoryInput("All", Decimal(100), [thirds, other])],
        missing=MissingPolicy.ZERO,
        pass_percent=Decimal(50),
        is_published=False,
        by=users.instructor,
    )
    people = [users.learner, *create_learners(users, [f"l{n}" for n in range(3)])]
    for number, learner in enumerate(people):
        User.objects.filter(pk=learner.pk).update(school_id=f"00{number}")
        take_quiz(thirds, learner, dict.fromkeys(range(number), "a"))
        take_quiz(other, learner, {0: "ab"[number % 2]})
    response = export(users.instructor, users.group, format="xlsx")
    heading, *rows = read_xlsx(response)
    quizzes = list_class_quizzes(users.group)
    rule = load_grade_rule(users.group, quizzes)
    assert rule is not None
    table = build_rows(quizzes, people)
    totals = compute_course_totals(rule, quizzes, table)
    stored = {row[1]: row for row in rows}
    assert len(stored) == len(people) + 1
    for row, total in zip(table, totals, strict=True):
        name, _email, school_id, percent, exact, _state, _category, *cells = stored[
            row.learner.email
        ]
        assert (name, school_id) == (row.learner.name, row.learner.school_id or school_id)
        assert total.score is not None
        assert isinstance(percent, int | float)
        assert Decimal(str(percent)) == Decimal(total.score.percent)
        assert Fraction(exact) == total.score.total
        for cell, start_at in zip(row.cells, (0, 5), strict=True):
            points, maximum, share, exact_points, _words = cells[start_at : start_at + 5]
            assert cell.score is not None
            assert (Fraction(points), Fraction(maximum)) == (cell.score.total, cell.score.maximum)
            assert Decimal(str(share)) == Decimal(cell.score.percent)
            assert Fraction(exact_points) == cell.score.total
    assert heading[:4] == ("Name", "E-mail", "School id", "Course total: per cent")


def test_points_that_do_not_end_have_six_decimals_and_stand_exact_beside_it(users):
    bank = create_bank(users)
    question = create_question(bank, "several", right="abc", kind="multiple_choice")
    quiz = create_quiz(users, [question], scoring_method="coverage")
    take_quiz(quiz, users.learner, {0: "a"})
    [row] = [
        row for row in read_csv(export(users.instructor, users.group)) if row["Name"] == "Learner"
    ]
    points = next(value for name, value in row.items() if name.endswith(": points"))
    exact = next(value for name, value in row.items() if name.endswith(": exact points"))
    assert (points, exact) == ("0.333333", "1/3")


def test_every_attempt_is_a_row_and_says_which_counts(users, thirds):
    take_quiz(thirds, users.learner, {0: "a"})
    take_quiz(thirds, users.learner, {0: "a", 1: "a", 2: "a"})
    waiting = start(thirds, users.other_learner)
    lifecycle.submit(attempt=waiting.uuid, learner=users.other_learner, now=NOW)
    rows = read_csv(export(users.instructor, users.group, rows="attempts"))
    assert [
        (row["Name"], row["Attempt"], row["counts"], row["points"], row["state"]) for row in rows
    ] == [
        ("Learner", "1", "no", "1", "not passed"),
        ("Learner", "2", "yes", "3", "passed"),
        ("Other_Learner", "1", "no", "", "submitted"),
    ]
    assert rows[0]["Quiz"] == "Thirds"
    assert rows[0]["Started"].startswith("2026-11-21 ")


def test_one_quiz_may_be_chosen_and_titles_that_repeat_are_told_apart(users, thirds):
    other = create_quiz(users, [thirds.sections.first().slots.first().question], slug="other")
    other.title = thirds.title
    other.save()
    [row, _] = read_csv(export(users.instructor, users.group))
    points = [name for name in row if name.endswith(": points")]
    assert points == [f"Thirds ({thirds.slug}): points", "Thirds (other): points"]
    [row, _] = read_csv(export(users.instructor, users.group, quiz=str(other.uuid)))
    assert [name for name in row if name.endswith(": points")] == ["Thirds: points"]


def test_a_name_is_never_a_formula_and_one_that_no_workbook_holds_is_shortened(users, thirds):
    users.learner.name = '=HYPERLINK("http://x.example")'
    users.learner.save()
    users.other_learner.name = "\x07bell"
    users.other_learner.save()
    names = {row["Name"] for row in read_csv(export(users.instructor, users.group))}
    assert names == {'\'=HYPERLINK("http://x.example")', "\x07bell"}
    response = export(users.instructor, users.group, format="xlsx")
    sheet = load_workbook(BytesIO(response.getvalue())).worksheets[0]
    cells = {cell.value: cell for cell in sheet["A"]}
    assert "bell" in cells
    cell = cells['=HYPERLINK("http://x.example")']
    assert (cell.data_type, cell.quotePrefix) == ("s", True)


def test_the_words_are_in_the_language_of_the_page(users, thirds):
    users.instructor.language = "es"
    users.instructor.save()
    client = logged_in_client(users.instructor)
    form = {"quiz": "", "rows": "grades", "format": "csv"}
    [row, _] = read_csv(client.get(address(users.group), form, headers={"accept-language": "es"}))
    assert row["Tercios: estado"] == "sin empezar"


def test_an_export_is_in_the_audit_log(users, thirds):
    close(export(users.instructor, users.group))
    event = AuditEvent.objects.get(code=AuditCode.RESULTS_EXPORTED)
    assert event.group_pk == users.group.pk
    assert event.after == {"quiz": "", "rows": "grades", "format": "csv"}


def test_only_who_teaches_or_assists_exports(users, thirds):
    for person in (users.outsider, users.learner, users.stranger):
        assert export(person, users.group).status_code == 404
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    assert close(export(users.outsider, users.group)) == 200
    page = logged_in_client(users.outsider).get(
        reverse("admin:accounts_group_gradebook", args=[users.group.pk])
    )
    assert page.status_code == 200
    class_page = reverse("admin:accounts_group_class", args=[users.group.pk])
    assert class_page not in page.content.decode()


@pytest.mark.parametrize(
    "fields", [{"rows": "all"}, {"format": "pdf"}, {"quiz": "x"}, {"quiz": "0" * 32}]
)
def test_a_choice_that_there_is_not_is_not_found(users, thirds, fields):
    assert export(users.instructor, users.group, **fields).status_code == 404
    assert not AuditEvent.objects.filter(code=AuditCode.RESULTS_EXPORTED).exists()


def test_without_a_choice_the_way_leads_to_the_gradebook(users, thirds):
    answer = logged_in_client(users.instructor).get(address(users.group))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("admin:accounts_group_gradebook", args=[users.group.pk])


@pytest.mark.parametrize("rows", ["grades", "attempts", "items"])
def test_more_learners_cost_no_more_queries(users, thirds, rows):
    take_quiz(thirds, users.learner, {0: "a"})
    client = logged_in_client(users.instructor)
    form = {"quiz": "", "rows": rows, "format": "csv"}
    for _ in range(2):  # the second finds in the log that the keys were seen
        close(client.get(address(users.group), form))
    with CaptureQueriesContext(connection) as few:
        close(client.get(address(users.group), form))
    for learner in create_learners(users, [f"l{n}" for n in range(3)]):
        take_quiz(thirds, learner, {0: "a"})
    with CaptureQueriesContext(connection) as many:
        close(client.get(address(users.group), form))
    assert len(many) == len(few) <= QUERIES


def test_the_item_level_has_each_answer_as_text_and_its_credit(users):
    bank = create_bank(users)
    several = create_question(bank, "several", right="abc", options="abcd")
    quiz = create_quiz(users, [several, create_question(bank, "left out", right="a")], points=2)
    take_quiz(quiz, users.learner, {0: "ab"})
    start(quiz, users.other_learner)
    learner, other = read_csv(export(users.instructor, users.group, rows="items"))
    assert [list(learner.items())[n] for n in (0, 3, 4, 7)] == [
        ("Name", "Learner"),
        ("Quiz", "A quiz"),
        ("Attempt", "1"),
        ("counts", "yes"),
    ]
    items = [value for name, value in learner.items() if name[:3] in {"1. ", "2. "}]
    assert items[1:4] == ["0.666667", "2/3", "2"]
    assert items[4:] == ["", "0", "0", "2"]
    assert items[0].count("“") == 2
    assert set(list(other.values())[13:]) == {""}
    assert AuditEvent.objects.filter(code=AuditCode.KEYS_VIEWED, subject=quiz.uuid).count() == 1


def test_what_a_learner_typed_is_no_formula_and_what_no_workbook_holds_says_so(users):
    quiz = create_quiz(users, [create_essay(create_bank(users))])
    attempt_with_essay(quiz, users.learner, "=1+1\n" + "x" * 33_000)
    attempt_with_essay(quiz, users.other_learner, "-2 \x07 items\nand more")
    rows = read_csv(export(users.instructor, users.group, rows="items"))
    answers = [next(value for name, value in row.items() if "answer" in name) for row in rows]
    assert answers[0].startswith("'=1+1\nxxx")
    assert len(answers[0]) > 33_000
    long, short = (
        row[13]
        for row in read_xlsx(export(users.instructor, users.group, rows="items", format="xlsx"))[1:]
    )
    assert (len(long), long[-2:], long[:6]) == (32_767, "x…", "=1+1\nx")
    assert short == "-2  items\nand more"


def test_more_columns_than_a_workbook_has_are_refused_with_a_word(users, thirds, monkeypatch):
    take_quiz(thirds, users.learner, {0: "a"})
    monkeypatch.setattr(gradebook_files, "MAX_WORKBOOK_COLUMNS", 20)
    client, form = logged_in_client(users.instructor), {"rows": "items", "format": "xlsx"}
    answer = client.get(address(users.group), form, follow=True)
    assert "Choose CSV, or one quiz" in answer.content.decode()


def test_a_large_class_is_read_some_learners_at_a_time(users, thirds, monkeypatch):
    monkeypatch.setattr(gradebook_tables, "LEARNERS_AT_ONCE", 2)
    monkeypatch.setattr(gradebook_tables, "ATTEMPTS_AT_ONCE", 1)
    for learner in [users.learner, *create_learners(users, ["l0", "l1"])]:
        take_quiz(thirds, learner, {0: "a"})
        take_quiz(thirds, learner, {})
    rows = read_csv(export(users.instructor, users.group, rows="items"))
    assert [(row["Name"], row["Attempt"]) for row in rows] == [
        (name, number) for name in ("L0", "L1", "Learner") for number in "12"
    ]
