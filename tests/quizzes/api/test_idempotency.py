"""Idempotency-Key: the same request again gives the same answer, another one is refused."""

import pytest
from django.core.cache import cache
from django.db import IntegrityError
from django.utils import timezone

from quizzes.api import idempotency
from quizzes.api.models import IdempotentWrite
from quizzes.attempts.models import Attempt, Response
from tests.quizzes.api.programs import ROOT, program, sent
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "one"}


def test_a_start_repeated_under_its_key_starts_no_second_attempt(users, a_quiz):
    client = program(users.learner)
    body = {"quiz": str(a_quiz.uuid)}
    first = client.post("attempts", body, **KEY)
    client.submit(first.json())
    again = client.post("attempts", body, **KEY)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again["Idempotent-Replayed"] == "true"
    assert again["Location"] == first["Location"]
    assert Attempt.objects.count() == 1


def test_another_request_under_the_same_key_is_refused(users, a_quiz):
    client = program(users.learner)
    attempt = client.post("attempts", {"quiz": str(a_quiz.uuid)}, **KEY).json()
    refused = client.post(f"attempts/{attempt['id']}/submit", **KEY)
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    assert Attempt.objects.get().state == "open"


def test_a_key_belongs_to_one_person(users, a_quiz):
    body = {"quiz": str(a_quiz.uuid)}
    answers = [
        program(who).post("attempts", body, **KEY) for who in (users.learner, users.other_learner)
    ]
    assert [a.status_code for a in answers] == [201, 201]


def test_a_conflict_is_remembered_with_its_problem(users, a_quiz):
    client = program(users.learner)
    attempt = client.start(a_quiz)
    client.save(attempt, [(0, None)])
    path = f"attempts/{attempt['id']}/responses"
    body = {"responses": [sent(0, [], base_revision=0)]}
    first, again = (client.post(path, body, **KEY) for _ in range(2))
    assert first.status_code == 409
    assert (again.content, again["Content-Type"]) == (first.content, first["Content-Type"])
    assert Response.objects.count() == 2


def test_a_submit_repeated_under_its_key_gives_the_same_receipt(users, a_quiz):
    client = program(users.learner)
    attempt = client.start(a_quiz)
    first, again = (client.post(f"attempts/{attempt['id']}/submit", **KEY) for _ in range(2))
    assert first.content == again.content
    assert IdempotentWrite.objects.count() == 1


def test_what_was_refused_is_not_remembered(users, a_quiz):
    client = program(users.learner)
    a_quiz.retired_at = a_quiz.created_at
    a_quiz.save()
    body = {"quiz": str(a_quiz.uuid)}
    assert client.post("attempts", body, **KEY).status_code == 404
    a_quiz.retired_at = None
    a_quiz.save()
    assert client.post("attempts", body, **KEY).status_code == 201


def test_the_token_itself_is_never_remembered(users):
    cache.clear()
    browser = logged_in_client(users.learner)
    body = {"name": "x", "scopes": ["read"]}
    first, again = (
        browser.post(f"{ROOT}tokens", body, content_type="application/json", headers=KEY)
        for _ in range(2)
    )
    assert first.json()["token"] not in str(IdempotentWrite.objects.get().body)
    assert again.json() == first.json() | {"token": None}


@pytest.mark.parametrize("key", ["", " ", "a" * 201, "two words", "é"])
def test_a_malformed_key_is_refused(users, a_quiz, key):
    refused = program(users.learner).post(
        "attempts", {"quiz": str(a_quiz.uuid)}, **{"Idempotency-Key": key}
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_malformed")


def test_old_keys_are_forgotten(users, a_quiz):
    client = program(users.learner)
    client.post("attempts", {"quiz": str(a_quiz.uuid)}, **KEY)
    row = IdempotentWrite.objects.get()
    row.created_at -= idempotency.KEPT_FOR * 2
    row.save()
    client.post("attempts", {"quiz": str(a_quiz.uuid)}, **{"Idempotency-Key": "two"})
    assert [write.key for write in IdempotentWrite.objects.all()] == ["two"]


def test_an_old_key_does_not_answer_for_a_new_request(users, a_quiz):
    client = program(users.learner)
    client.post("attempts", {"quiz": str(a_quiz.uuid)}, **KEY)
    old = timezone.now() - idempotency.KEPT_FOR * 2
    IdempotentWrite.objects.update(created_at=old)
    again = client.post("attempts", {"quiz": str(a_quiz.uuid)}, **KEY)
    assert "Idempotent-Replayed" not in again.headers
    assert IdempotentWrite.objects.get().created_at > old


@pytest.mark.parametrize("path", ["attempts", "attempts/{}/submit"])
def test_of_two_at_once_the_second_gives_the_firsts_answer(users, a_quiz, monkeypatch, path):
    client = program(users.learner)
    attempt = client.start(a_quiz)
    body = {"quiz": str(a_quiz.uuid)} if path == "attempts" else None
    first = client.post(path.format(attempt["id"]), body, **KEY)
    real, calls = idempotency._earlier_answer, []

    def blind_at_first(request, key, replay):
        calls.append(key)
        return None if len(calls) == 1 else real(request, key, replay)

    monkeypatch.setattr(idempotency, "_earlier_answer", blind_at_first)
    second = client.post(path.format(attempt["id"]), body, **KEY)
    assert (second.status_code, second.content) == (first.status_code, first.content)


def test_another_fault_of_the_database_is_not_taken_for_a_repetition(users, a_quiz, monkeypatch):
    def broken(*_, **__):
        raise IntegrityError

    monkeypatch.setattr(idempotency, "_remember", broken)
    answer = program(users.learner).post("attempts", {"quiz": str(a_quiz.uuid)}, **KEY)
    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
    assert not Attempt.objects.exists()
