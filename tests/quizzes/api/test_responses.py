"""Saving through the API: what counts, what is kept, what is refused."""

from datetime import timedelta
from uuid import uuid4

import pytest

from quizzes.attempts.models import Attempt, Response
from quizzes.lib import clock
from tests.forged_rows import overwrite
from tests.quizzes.api.programs import program, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(users):
    return program(users.learner, "attempt")


@pytest.fixture
def attempt(client, a_quiz):
    return client.start(a_quiz)


def options(attempt, slot):
    return attempt["questions"][slot]["public_view"]["options"]


def test_many_answers_are_saved_at_once_and_stand_on_the_sheet(client, attempt):
    chosen = [(slot, options(attempt, slot)[:1]) for slot in range(3)]
    answer = client.save(attempt, chosen, base_revision=0, flagged=True)
    assert answer.status_code == 200
    responses = answer.json()["responses"]
    assert [t["status"] for t in responses] == ["accepted"] * 3
    assert [t["revision"] for t in responses] == [1] * 3
    sheet = client.get(f"attempts/{attempt['id']}").json()
    assert [q["answer"]["chosen"] for q in sheet["questions"]] == [ids for _, ids in chosen]
    assert all(q["flagged"] for q in sheet["questions"])
    assert sheet["answered_count"] == 3


def test_an_answer_is_taken_back_with_null(client, attempt):
    client.save(attempt, [(1, options(attempt, 1)[:1])])
    assert client.save(attempt, [(1, None)], base_revision=1).status_code == 200
    assert client.get(f"attempts/{attempt['id']}").json()["questions"][1]["answer"] is None


def test_a_stale_base_is_a_conflict_that_tells_what_stands(client, attempt):
    first, second = options(attempt, 1)[:2]
    client.save(attempt, [(1, [first])], base_revision=0)
    refused = client.save(attempt, [(1, [second])], base_revision=0)
    assert refused.status_code == 409
    assert refused["Content-Type"] == "application/problem+json"
    problem = refused.json()
    assert problem["code"] == "conflict"
    assert problem["responses"][0]["status"] == "conflict"
    assert problem["responses"][0]["revision"] == 1
    assert problem["responses"][0]["answer"]["chosen"] == [first]
    assert Response.objects.count() == 2


def test_a_late_answer_is_kept_but_told_not_to_count(client, attempt):
    ended = clock.now() - timedelta(minutes=5)
    overwrite(Attempt.objects.all(), deadline_at=ended, cutoff_at=ended + timedelta(minutes=1))
    refused = client.save(attempt, [(1, options(attempt, 1)[:1])])
    assert (refused.status_code, refused.json()["code"]) == (409, "late")
    assert Response.objects.get().status == "late"


def test_the_same_operation_sent_again_is_one_entry_and_one_answer(client, attempt):
    body = {"responses": [sent(1, options(attempt, 1)[:1], base_revision=0)]}
    path = f"attempts/{attempt['id']}/responses"
    assert client.post(path, body).content == client.post(path, body).content
    assert Response.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        ({"slot": "0"}, "responses.0.slot", "invalid"),
        ({"slot": 1.0}, "responses.0.slot", "invalid"),
        ({"slot": True}, "responses.0.slot", "invalid"),
        ({"slot": -1}, "responses.0.slot", "min_value"),
        ({"slot": 10**400}, "responses.0.slot", "max_value"),
        ({"slot": 99}, "slot", "unknown_slot"),
        ({"base_revision": 10**30}, "responses.0.base_revision", "max_value"),
        ({"flagged": "yes"}, "responses.0.flagged", "invalid"),
        ({"idempotency_key": 7}, "responses.0.idempotency_key", "invalid"),
        ({"idempotency_key": "7"}, "responses.0.idempotency_key", "invalid"),
        ({"client": "x"}, "responses.0.client", "invalid"),
        ({"answer": "a"}, "responses.0.answer", "not_a_dict"),
        ({"answer": {"chosen": "a"}}, "chosen", "not_a_list"),
        ({"answer": {"chosen": [1]}}, "chosen.0", "not_an_option_id"),
        ({"answer": {"chosen": [str(uuid4())]}}, "chosen.0", "unknown_option"),
        ({"answer": {"secret": 1}}, "answer", "unknown_field"),
        ({"marks": 1}, "responses.0.marks", "unknown_field"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_place_and_nothing_is_kept(
    client, attempt, change, where, code
):
    good = sent(1, options(attempt, 1)[:1])
    refused = client.post(
        f"attempts/{attempt['id']}/responses", {"responses": [sent(0, []) | change, good]}
    )
    assert refused.status_code == 422
    error = refused.json()["errors"][0]
    assert (error["where"], error["code"]) == (where, code)
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    "body", [{}, [], {"responses": []}, {"responses": {}}, {"responses": [1]}, "x", 7, None]
)
def test_a_body_of_another_shape_is_refused(client, attempt, body):
    assert client.post(f"attempts/{attempt['id']}/responses", body).status_code in {400, 422}


def test_a_missing_field_is_named(client, attempt):
    refused = client.post(f"attempts/{attempt['id']}/responses", {"responses": [{"slot": 0}]})
    assert {e["where"] for e in refused.json()["errors"]} == {
        "responses.0.answer",
        "responses.0.idempotency_key",
    }


def test_a_slot_twice_is_refused(client, attempt):
    refused = client.save(attempt, [(0, []), (0, [])])
    assert (refused.status_code, refused.json()["code"]) == (422, "slot_twice")
