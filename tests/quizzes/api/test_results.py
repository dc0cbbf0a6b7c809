"""Results through the API: exact, complete, and no more than reveal allows."""

import csv
import io
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt
from quizzes.lib import clock
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Audience, Quiz
from quizzes.results.selectors import load_report
from tests.factories import NOW, create_bank, create_question, create_quiz, option_ids
from tests.quizzes.api.programs import program, taken

pytestmark = pytest.mark.django_db


def follow(client, path, **query):
    """Read all pages; give the rows."""
    rows = []
    while True:
        page = client.get(path, **query).json()
        rows += page["items"]
        if page["next"] is None:
            return rows
        query = {k: v[0] for k, v in parse_qs(urlsplit(page["next"]).query).items()}


def table(response):
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


def scored(users, right, of, percent, credit="full"):
    """Take a quiz of so many questions, so many answered as told; give its result everywhere."""
    into = create_bank(users, f"bank-{right}-{of}")
    letters = {"full": "ab", "third": "abc"}[credit]
    questions = [create_question(into, f"q{n}", right=letters, options="abcde") for n in range(of)]
    exam = create_quiz(users, questions, slug=f"exam-{right}-{of}", pass_percent=percent)
    answers = [letters] * int(right) + (["a"] if credit == "third" else [])
    attempt = taken(users.learner, exam, questions, *answers)
    client = program(users.learner, "read")
    detail = client.result(attempt)
    listed = client.get("results").json()["items"][0]
    line = table(client.get("results.csv"))[0]
    report = load_report(
        attempt=attempt["id"], viewer=users.learner, language="en", now=clock.now()
    )
    return detail, listed, line, report.summary.score


@pytest.mark.parametrize(
    ("right", "of", "percent", "credit", "total", "score_text", "passed"),
    [
        (6, 12, 50, "full", (6, 1), "50", True),
        (26, 33, 80, "third", (79, 3), "79.79", False),
        (8, 10, 80, "full", (8, 1), "80", True),
    ],
)
def test_page_api_and_export_tell_the_same_exact_numbers(
    users, right, of, percent, credit, total, score_text, passed
):
    detail, listed, line, score = scored(users, right, of, percent, credit)
    assert detail["score"] == listed["score"]
    score_body = detail["score"]
    assert (score_body["total"]["numerator"], score_body["total"]["denominator"]) == total
    assert (line["total_numerator"], line["total_denominator"]) == tuple(map(str, total))
    assert (score.total.numerator, score.total.denominator) == total
    assert {score_body["percent"], line["percent"], score.percent} == {score_text}
    assert score_body["passed"] is score.passed is passed
    assert line["passed"] == ("yes" if passed else "no")
    assert line["maximum_numerator"] == str(of) == score_body["maximum"]["decimal"]


def test_people_are_named_with_their_school_id(users, a_quiz, questions):
    users.learner.school_id = "0042"
    users.learner.save()
    attempt = taken(users.learner, a_quiz, questions, "ab")
    listed = program(users.instructor, "results").get("results").json()["items"][0]["learner"]
    assert (listed["id"], listed["school_id"]) == (str(users.learner.uuid), "0042")
    own = program(users.learner, "read")
    assert own.result(attempt)["learner"] == listed
    assert own.get("me").json()["school_id"] == "0042"


def test_no_number_of_a_score_is_a_float(users, a_quiz, questions):
    attempt = taken(users.learner, a_quiz, questions, "ab")
    response = program(users.learner).get(f"results/{attempt['id']}")
    floats = []

    def collect(value):
        if isinstance(value, float):
            floats.append(value)
        for inner in value.values() if isinstance(value, dict) else ():
            collect(inner)
        for inner in value if isinstance(value, list) else ():
            collect(inner)

    collect(response.json())
    assert floats == []


def test_a_result_shows_marks_ledger_and_feedback_of_what_was_chosen(users, a_quiz, questions):
    attempt = taken(users.learner, a_quiz, questions, "ab", "b", "a")
    body = program(users.learner, "read").result(attempt, lang="es")
    first, second, third = body["questions"]
    assert [q["outcome"] for q in body["questions"]] == [
        "partially_correct",
        "correct",
        "incorrect",
    ]
    assert first["credit"] == {"numerator": 2, "denominator": 3, "decimal": "0.666666"}
    assert set(first["feedback"]["parts_html"]) == set(option_ids(questions[0], "a", "b"))
    assert "Aviso" in next(iter(first["feedback"]["parts_html"].values()))
    earned = [line["earned"] for line in first["ledger"]]
    assert sum(e["numerator"] / e["denominator"] for e in earned) == pytest.approx(2 / 3)
    assert body["visibility"]["key"] is False
    assert (first["correct_answer"], first["reasons"]) == (None, [])
    assert second["answer"]["chosen"] == option_ids(questions[1], "b")
    assert third["earned"]["numerator"] == 0


def test_an_instructor_sees_the_key_where_the_learner_does_not(users, a_quiz, questions):
    attempt = taken(users.learner, a_quiz, questions, "ab")
    body = program(users.instructor).result(attempt)
    assert body["questions"][0]["correct_answer"]["chosen"] == option_ids(
        questions[0], "a", "b", "c"
    )
    assert body["questions"][0]["feedback"]["explanation_html"]


def test_an_open_attempt_is_no_result_to_anyone_and_hides_no_finished_one(users, a_quiz, questions):
    done = taken(users.learner, a_quiz, questions)
    going = program(users.learner).start(a_quiz)
    for who in (users.learner, users.instructor, users.administrator):
        client = program(who)
        assert client.get(f"results/{going['id']}").status_code == 404
        assert [row["id"] for row in client.get("results").json()["items"]] == [done["id"]]


def test_without_the_scope_results_an_instructor_sees_only_own_ones(users, a_quiz, questions):
    attempt = taken(users.learner, a_quiz, questions)
    Quiz.objects.filter(pk=a_quiz.pk).update(audience=Audience.SIGNED_IN)
    own = taken(users.outsider, a_quiz, questions)
    Membership.objects.create(user=users.outsider, group=users.group, role=Role.INSTRUCTOR)
    client = program(users.outsider, "read")
    assert [row["id"] for row in client.get("results").json()["items"]] == [own["id"]]
    assert len(table(client.get("results.csv"))) == 1
    assert client.get(f"results/{attempt['id']}").status_code == 404
    assert len(program(users.outsider, "results").get("results").json()["items"]) == 2


@pytest.mark.parametrize(
    ("who", "seen"),
    [
        ("learner", 1),
        ("other_learner", 1),
        ("instructor", 2),
        ("administrator", 2),
        ("outsider", 0),
        ("stranger", 0),
    ],
)
def test_each_of_the_cast_lists_what_is_theirs_to_see(users, a_quiz, questions, who, seen):
    taken(users.learner, a_quiz, questions)
    taken(users.other_learner, a_quiz, questions)
    client = program(getattr(users, who))
    assert len(client.get("results").json()["items"]) == seen
    assert len(table(client.get("results.csv"))) == seen


def test_filters_narrow_down(users, a_quiz, questions):
    good = taken(users.learner, a_quiz, questions, "abc", "b", "b")
    bad = taken(users.other_learner, a_quiz, questions)
    client = program(users.instructor)

    def ids(**query):
        return [row["id"] for row in client.get("results", **query).json()["items"]]

    assert ids(passed="true") == [good["id"]]
    assert ids(passed="false") == [bad["id"]]
    assert ids(learner=str(users.learner.uuid)) == [good["id"]]
    assert ids(quiz=str(a_quiz.uuid)) == [good["id"], bad["id"]]
    assert ids(group=str(users.group.uuid)) == [good["id"], bad["id"]]
    assert ids(group=str(users.other_group.uuid)) == []
    assert ids(state="void") == []
    assert ids(updated_since="2999-01-01T00:00:00Z") == []
    assert len(ids(updated_since="2020-01-01T00:00:00+01:00".replace("+", "-"))) == 2


def test_a_foreign_group_tells_nothing_of_who_is_in_it(users, a_quiz, questions):
    taken(users.learner, a_quiz, questions)
    Membership.objects.create(group=users.other_group, user=users.learner, role=Role.LEARNER)
    response = program(users.instructor).get("results", group=str(users.other_group.uuid))
    assert response.json()["items"] == []


def test_a_hidden_score_shows_nowhere_and_no_filter_tells_it(users, questions):
    exam = create_quiz(users, questions, reveal_score="never", reveal_correctness="never")
    attempt = taken(users.learner, exam, questions, "abc", "b", "b")
    client = program(users.learner)
    assert client.get("results").json()["items"][0]["score"] is None
    assert client.result(attempt)["score"] is None
    assert table(client.get("results.csv"))[0]["percent"] == ""
    for passed in ("true", "false"):
        assert client.get("results", passed=passed).json()["items"] == []
    assert client.get("quiz-grades").json()["items"][0]["score"] is None
    assert len(program(users.instructor).get("results", passed="true").json()["items"]) == 1


def test_sparse_fields_give_only_those(users, a_quiz, questions):
    attempt = taken(users.learner, a_quiz, questions)
    client = program(users.learner)
    assert client.get("results", fields="id,state").json()["items"] == [
        {"id": attempt["id"], "state": "graded"}
    ]
    refused = client.get("results", fields="id,secret")
    assert refused.status_code == 422
    assert b"secret" not in refused.content


def test_pages_follow_each_other_without_gap_or_twin_and_a_change_is_met_again(
    users, a_quiz, questions
):
    attempt_ids = [
        taken(who, a_quiz, questions)["id"] for who in (users.learner, users.other_learner)
    ]
    attempt_ids += [taken(users.learner, a_quiz, questions)["id"] for _ in range(2)]
    client = program(users.instructor)
    assert [row["id"] for row in follow(client, "results", limit=1)] == attempt_ids
    # An hour later nothing is so young that it must be met twice.
    for number, attempt in enumerate(attempt_ids):
        changed_at = clock.now() - timedelta(hours=1, seconds=-number)
        Attempt.objects.filter(uuid=attempt).update(updated_at=changed_at)
    first = client.get("results", limit=2).json()
    Attempt.objects.filter(uuid=attempt_ids[0]).update(
        updated_at=clock.now() - timedelta(minutes=30)
    )
    rest = follow(client, "results", limit=2, cursor=first["cursor"])
    assert [row["id"] for row in rest] == [*attempt_ids[2:], attempt_ids[0]]
    last = client.get("results").json()["cursor"]
    after = client.get("results", cursor=last).json()
    assert (after["items"], after["next"], after["cursor"]) == ([], None, last)


def test_equal_times_are_told_apart(users, a_quiz, questions):
    attempt_ids = {taken(users.learner, a_quiz, questions)["id"] for _ in range(3)}
    Attempt.objects.update(updated_at=NOW)
    assert {r["id"] for r in follow(program(users.learner), "results", limit=1)} == attempt_ids


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"},
        {"limit": "201"},
        {"limit": "ten"},
        {"limit": "9" * 5000},
        {"cursor": "x"},
        {"cursor": "é"},
        {"cursor": "WzFd"},
        {"cursor": "WyIwMDAxLTAxLTAxVDAwOjAwOjAwKzE0OjAwIiwgIngiXQ"},
        {"quiz": "x"},
        {"passed": "1"},
        {"state": "open"},
        {"updated_since": "yesterday"},
        {"updated_since": "2026-11-21T12:00:00"},
        {"updated_since": "0001-01-01T00:00:00+14:00"},
        {"updated_since": "2026-02-30T12:00:00Z"},
        {"qiuz": "x"},
        {"lang": "xx"},
    ],
)
def test_a_senseless_query_is_named_not_ignored(users, query):
    refused = program(users.learner).get("results", **query)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["where"] == next(iter(query))


def test_a_parameter_twice_is_refused(users):
    assert program(users.learner).get("results?limit=1&limit=2").status_code == 422


def test_an_old_edition_keeps_its_pass_mark_in_results(users, a_quiz, questions):
    attempt = taken(users.learner, a_quiz, questions, "ab", "b", "b")
    a_quiz.pass_percent = 10
    a_quiz.save()
    publishing.publish(quiz=a_quiz, by=None, now=NOW)
    score = program(users.learner).result(attempt)["score"]
    assert score["pass_threshold"]["decimal"] == "0.8"
    assert score["passed"] is True


def test_a_quiz_grade_counts_the_highest_and_names_its_attempt(users, a_quiz, questions):
    best = taken(users.learner, a_quiz, questions, "abc", "b", "b")
    taken(users.learner, a_quiz, questions)
    (grade,) = program(users.learner).get("quiz-grades").json()["items"]
    assert grade["attempt"] == best["id"]
    assert grade["attempts_graded"] == 2
    assert grade["score"]["percent"] == "100"
    assert grade["quiz"]["slug"] == "quiz"
    assert program(users.stranger).get("quiz-grades").json()["items"] == []


def test_an_average_quiz_grade_names_no_attempt(users, questions):
    exam = create_quiz(users, questions, attempt_grade_policy="average")
    taken(users.learner, exam, questions, "abc", "b", "b")
    taken(users.learner, exam, questions)
    (grade,) = program(users.learner).get("quiz-grades").json()["items"]
    assert grade["attempt"] is None
    assert grade["score"]["percent"] == "50"
