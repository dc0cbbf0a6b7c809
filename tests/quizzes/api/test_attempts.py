"""Starting, seeing and submitting through the API."""

from datetime import timedelta

import pytest

from quizzes.attempts.models import Attempt
from quizzes.attempts.receipt import receipt_digest
from quizzes.results.models import Grading
from tests.quizzes.api.programs import Program, program, taken, token

pytestmark = pytest.mark.django_db


def test_a_start_makes_an_attempt_and_a_second_one_gives_it_again(users, a_quiz):
    client = program(users.learner, "attempt")
    first = client.post("attempts", {"quiz": str(a_quiz.uuid)})
    second = client.post("attempts", {"quiz": str(a_quiz.uuid)})
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert first["Location"] == f"/api/v1/attempts/{first.json()['id']}"
    assert Attempt.objects.count() == 1


def test_a_sheet_shows_questions_in_the_attempts_order_without_any_key(users, a_quiz):
    client = program(users.learner, "attempt")
    attempt = client.start(a_quiz)
    body = client.get(f"attempts/{attempt['id']}").json()
    assert body == attempt
    assert [q["slot"] for q in body["questions"]] == [0, 1, 2]
    first = body["questions"][0]
    assert first["kind"] == "multiple_choice"
    assert first["points"] == {"numerator": 1, "denominator": 1, "decimal": "1"}
    assert list(first["texts"]["parts_html"]) == first["public_view"]["options"]
    assert first["answer"] is None
    assert first["revision"] == 0
    assert body["pass_threshold"] == {"numerator": 4, "denominator": 5, "decimal": "0.8"}


@pytest.mark.parametrize(
    ("query", "headers", "expected"),
    [
        ({"lang": "es"}, {}, "es"),
        ({}, {"HTTP_ACCEPT_LANGUAGE": "es-MX,es;q=0.9"}, "es"),
        ({"lang": "en"}, {"HTTP_ACCEPT_LANGUAGE": "es"}, "en"),
        ({}, {}, "es"),
    ],
)
def test_words_come_in_the_language_asked_for_else_the_persons(
    users, a_quiz, query, headers, expected
):
    users.learner.language = "es"
    users.learner.save()
    client = Program(token(users.learner), **headers)
    attempt = client.start(a_quiz)
    body = client.get(f"attempts/{attempt['id']}", **query).json()
    assert {q["texts"]["language"] for q in body["questions"]} == {expected}
    assert body["title"] == {"es": "Un examen", "en": "A quiz"}[expected]


def test_the_language_changes_neither_answers_nor_order(users, a_quiz, questions):
    client = program(users.learner)
    attempt = client.start(a_quiz)
    chosen = attempt["questions"][0]["public_view"]["options"][:2]
    client.save(attempt, [(0, chosen)])
    english, spanish = (
        client.get(f"attempts/{attempt['id']}", lang=tag).json()["questions"]
        for tag in ("en", "es")
    )
    for question in (*english, *spanish):
        del question["texts"]
    assert english == spanish


def test_submits_give_one_grading_and_equal_receipts(users, a_quiz, questions):
    client = program(users.learner)
    attempt = client.start(a_quiz)
    receipts = [client.submit(attempt) for _ in range(5)]
    assert {r.status_code for r in receipts} == {200}
    assert len({r.content for r in receipts}) == 1
    receipt = receipts[0].json()
    assert (receipt["attempt"], receipt["result"]) == (
        attempt["id"],
        f"/api/v1/results/{attempt['id']}",
    )
    stored = Attempt.objects.get(uuid=attempt["id"]).receipt
    assert receipt["receipt"] == stored
    file = client.get(f"attempts/{attempt['id']}/receipt").json()
    assert file == {**receipt["receipt"], "answers": []}
    (summary,) = client.get("results").json()["items"]
    assert summary["receipt_digest"] == receipt_digest(stored)
    assert summary["receipt_digest"] in client.get("results.csv").getvalue().decode()
    keys = client.get("receipt-keys").json()["keys"]
    assert receipt["receipt"]["key"] in {key["kid"] for key in keys}
    assert Grading.objects.count() == 1


def test_an_attempt_too_many_is_refused_with_the_next_time(users, a_quiz, questions):
    for _ in range(3):
        taken(users.learner, a_quiz, questions)
    refused = program(users.learner).post("attempts", {"quiz": str(a_quiz.uuid)})
    assert refused.status_code == 409
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["code"] == "window_full"
    assert refused.json()["available_at"].endswith("Z")


def test_a_closed_quiz_is_refused_by_name(users, a_quiz):
    a_quiz.opens_at = a_quiz.created_at - timedelta(days=900)
    a_quiz.closes_at = a_quiz.created_at - timedelta(days=800)
    a_quiz.save()
    refused = program(users.learner).post("attempts", {"quiz": str(a_quiz.uuid)})
    assert (refused.status_code, refused.json()["code"]) == (409, "closed")


def test_a_void_attempt_cannot_be_submitted(users, a_quiz):
    client = program(users.learner)
    attempt = client.start(a_quiz)
    Attempt.objects.update(state="void", void_reason="test")
    refused = client.submit(attempt)
    assert (refused.status_code, refused.json()["code"]) == (409, "void")


def test_ones_own_attempts_are_listed_and_filtered_and_nobody_elses(users, a_quiz, questions):
    done = taken(users.learner, a_quiz, questions)
    program(users.other_learner).start(a_quiz)
    client = program(users.learner, "read")
    going = program(users.learner).start(a_quiz)
    listed = client.get("attempts").json()["items"]
    assert {row["id"] for row in listed} == {done["id"], going["id"]}
    only = client.get("attempts", state="open").json()["items"]
    assert [row["id"] for row in only] == [going["id"]]
    assert client.get("attempts", quiz="00000000-0000-4000-8000-000000000000").json()["items"] == []
