"""Statistics over REST and as CSV: the vectors from stored attempts on, rights, queries."""

import csv
import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Membership, Role
from quizzes.api.statistics import TABLES
from quizzes.attempts.models import Assignment
from quizzes.audit.models import AuditEvent
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import finish, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz, publish_change
from tests.quizzes.api.programs import program
from tests.quizzes.statistics.attempt_histories import create_learners, take_table
from tools.paths import ROOT

pytestmark = pytest.mark.django_db
QUERIES = 9
VECTORS = ROOT.parent / "shared/vectors/item_statistics.json"
MARKS: list[list[Any]] = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, "1/2"], [1, 0, 1, 0], [0, 0, 0, 1]]


def path(quiz: Quiz, suffix: str = "") -> str:
    return f"quizzes/{quiz.uuid}/statistics{suffix}"


def read_table(users, quiz, **query) -> list[dict[str, str]]:
    response = program(users.instructor, "results").get(path(quiz, ".csv"), **query)
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode())))


@pytest.mark.skipif(not VECTORS.exists(), reason="the shared vectors are not on this machine")
def test_the_shared_vectors_hold_from_stored_attempts_to_the_answer(users, into):
    vectors = json.loads(VECTORS.read_text())
    questions = take_table(users, into, vectors["marks"])
    update_statistics()
    report = program(users.instructor, "results").get(path(Quiz.objects.get())).json()
    rows = {row["question"]: row for row in report["questions"]}
    ordered = [rows[str(question.uuid)] for question in questions]
    percents = {
        "facility_percent": [row["facility"] for row in ordered],
        "sd_percent": [row["sd"] for row in ordered],
        "discrimination_percent": [row["discrimination"]["value"] for row in ordered],
        "efficiency_percent": [row["efficiency"] for row in ordered],
        "effective_weight_percent": [row["effective_weight"] for row in ordered],
    }
    for name, figures in percents.items():
        rounded = [round(100 * figure, 4) for figure in figures]
        assert rounded == pytest.approx(vectors["items"][name], abs=1e-9), name
    reliability, scores = report["reliability"], report["scores"]
    measured = {
        **{name: scores[name] for name in ("mean", "median", "sd", "skewness", "kurtosis")},
        "consistency_percent": 100 * reliability["coefficient"],
        "error_ratio_percent": 100 * (1 - reliability["coefficient"]) ** 0.5,
        "standard_error": reliability["standard_error"],
    }
    for name, figure in measured.items():
        digits = 4 if "percent" in name else 6
        assert round(figure, digits) == pytest.approx(vectors["quiz"][name], abs=1e-9), name


def test_a_table_has_the_figures_of_the_answer(users, into):
    take_table(users, into, MARKS)
    update_statistics()
    quiz = Quiz.objects.get()
    report = program(users.instructor, "results").get(path(quiz)).json()
    for line, row in zip(read_table(users, quiz), report["questions"], strict=True):
        assert float(line["facility"]) == pytest.approx(row["facility"], abs=1e-9)
        value = row["discrimination"]["value"]
        assert float(line["discrimination.value"]) == pytest.approx(value, abs=1e-9)
    options = read_table(users, quiz, table="options")
    assert len(options) == sum(len(row["options"]) for row in report["questions"])
    interval = report["questions"][0]["options"][0]["interval"]
    assert float(options[0]["interval.low"]) == pytest.approx(interval["low"], abs=1e-9)
    (summary,) = read_table(users, quiz, table="quiz")
    assert float(summary["scores.mean"]) == report["scores"]["mean"]
    assert float(summary["pass_threshold"]) == report["pass_threshold"]
    figures = {name.removeprefix("scores.") for name in summary if name.startswith("scores.")}
    assert {name.split(".")[0] for name in figures} == {*report["scores"]}
    assert len(read_table(users, quiz, table="histogram")) == len(report["histogram"])
    assert read_table(users, quiz, table="dif") == []


@pytest.mark.parametrize("table", TABLES)
def test_the_columns_of_a_table_are_the_same_before_and_after_the_attempts(users, into, table):
    questions = take_table(users, into, MARKS)
    quiz = Quiz.objects.get()
    client = program(users.instructor, "results")
    before = client.get(path(quiz, ".csv"), table=table).content.decode().splitlines()
    update_statistics()
    after = client.get(path(quiz, ".csv"), table=table).content.decode().splitlines()
    assert before[0] == after[0]
    assert len(after) > 1 or table in {"dif", "groups"}
    assert len(questions) == len(MARKS[0])


@pytest.mark.parametrize("table", ["questions", "options"])
def test_every_figure_of_the_answer_has_its_column(users, into, table):
    take_table(users, into, MARKS)
    update_statistics()
    quiz = Quiz.objects.get()
    question = program(users.instructor, "results").get(path(quiz)).json()["questions"][0]
    rows = {"questions": question, "options": question["options"][0]}
    left_out = {"options", "groups"} if table == "questions" else set()
    names = {name.partition(".")[0] for name in read_table(users, quiz, table=table)[0]}
    assert names >= rows[table].keys() - left_out


def test_the_scores_and_choices_of_a_few_are_withheld_with_the_reason(users, a_quiz):
    """Eight attempts, one of them a second one: neither its figures nor what shows them."""
    for learner in create_learners(users, [f"l{place}" for place in range(6)]):
        take_quiz(a_quiz, learner, {1: "b"})
    for hours in (0, 9):
        take_quiz(a_quiz, users.learner, {0: "abc", 1: "b"}, NOW + timedelta(hours=hours))
    update_statistics()
    report = program(users.instructor, "results").get(path(a_quiz)).json()
    groups = [group for group in report["groups"] if "number" in group]
    assert [(group["n"], group["scores"]) for group in groups] == [(7, None), (1, None)]
    row = report["questions"][1]
    figures = [group for group in row["groups"] if "number" in group]
    assert [(group["n"], group["facility"]) for group in figures] == [(7, None), (1, None)]
    for withheld in (*groups, *figures, row):
        assert "small_group" in withheld["cautions"]
    assert {third["chosen"] for option in row["options"] for third in option["groups"]} == {None}
    for line in read_table(users, a_quiz, table="groups"):
        assert (line["facility"], "small_group" in line["cautions"]) == ("", True)
    (option, *_) = read_table(users, a_quiz, table="options")
    assert (option["groups.1.chosen"], option["chosen"] != "") == ("", True)


def test_names_of_questions_are_no_formulas(users, into):
    questions = take_table(users, into, MARKS)
    questions[0].name = "=1+1"
    questions[0].save()
    update_statistics()
    (line, *_) = read_table(users, Quiz.objects.get())
    assert line["name"] == "'=1+1"


def test_before_anything_is_measured_there_are_no_figures(users, a_quiz):
    report = program(users.instructor, "results").get(path(a_quiz)).json()
    assert (report["scores"], report["questions"], report["measured_at"]) == (None, [], None)
    assert report["is_up_to_date"] is True


def test_each_version_of_a_quiz_has_its_own_figures(users, a_quiz, questions):
    take_quiz(a_quiz, users.learner, {1: "b"})
    first = a_quiz.current
    publish_change(questions[1], shuffle=False)
    publishing.publish(quiz=a_quiz, by=None, now=NOW)
    update_statistics()
    client = program(users.instructor, "results")
    assert client.get(path(a_quiz)).json()["quiz_version"] == str(first.uuid)
    a_quiz.refresh_from_db()
    query = {"quiz_version": str(a_quiz.current.uuid)}
    report = client.get(path(a_quiz), **query).json()
    assert (report["number"], report["scores"]) == (2, None)
    assert client.get(path(a_quiz), quiz_version=str(a_quiz.uuid)).status_code == 404


def test_assistants_and_those_who_have_it_assigned_see_it_and_nobody_else(users, a_quiz):
    update_statistics()
    assert program(users.outsider).get(path(a_quiz)).status_code == 404
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    assert program(users.stranger).get(path(a_quiz)).status_code == 200
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    assert program(users.outsider).get(path(a_quiz)).status_code == 200
    assert program(users.learner).get(path(a_quiz)).status_code == 404
    assert program(users.instructor, "read").get(path(a_quiz)).status_code == 403


def test_who_has_an_attempt_open_sees_no_statistics_of_what_it_asks(users, a_quiz, questions):
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.LEARNER)
    same = create_quiz(users, questions[:1], slug="same-questions")
    elsewhere = create_quiz(
        users, [create_question(create_bank(users, "elsewhere"), "new")], slug="elsewhere"
    )
    attempt = start(a_quiz, users.outsider)
    assert not attempt.is_staff_attempt
    for quiz in (a_quiz, same, elsewhere):
        Assignment.objects.create(quiz=quiz, group=users.other_group)
    client = program(users.outsider)
    statuses = [client.get(path(quiz)).status_code for quiz in (a_quiz, same, elsewhere)]
    assert statuses == [404, 404, 200]
    finish(attempt)
    assert client.get(path(a_quiz)).status_code == 200


def test_that_keys_were_seen_is_in_the_log(users, a_quiz):
    program(users.instructor).get(path(a_quiz))
    event = AuditEvent.objects.get(code="keys_viewed")
    assert (event.actor, event.subject) == (users.instructor.uuid, a_quiz.uuid)


def test_as_many_queries_for_many_attempts_as_for_few(
    users, into, django_assert_num_queries: Callable[..., Any]
):
    take_table(users, into, MARKS)
    quiz = Quiz.objects.get()
    update_statistics()
    client = program(users.instructor, "results")
    client.get(path(quiz))
    with django_assert_num_queries(QUERIES):
        client.get(path(quiz))
    for learner in (users.learner, users.other_learner):
        take_quiz(quiz, learner, {0: "a"})
    QuizVersionStatistics.objects.update(seconds=0)
    update_statistics()
    with django_assert_num_queries(QUERIES):
        assert client.get(path(quiz)).json()["scores"]["n"] == len(MARKS) + 2
