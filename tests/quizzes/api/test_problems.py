"""Problem documents: bad input of every sort gets a clear one, and none says too much."""

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404

from quizzes.api.problems import exception_handler
from quizzes.attempts import services
from quizzes.attempts.models import Attempt
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from tests.quizzes.api.programs import ROOT, program

pytestmark = pytest.mark.django_db


def raw(users, body, content_type="application/json", **headers):
    client = program(users.learner)
    return client.client.generic("POST", f"{ROOT}attempts", body, content_type, **headers)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"quiz": NaN}',
        b'{"quiz": 1e999}',
        b'{"quiz": ' + b"[" * 101 + b"]" * 101 + b"}",
        b"[" * 100_000,
        b'{"quiz": "\\ud800"}',
        b'{"quiz": "a\\u0000b"}',
        b'{"quiz": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_json_is_refused_as_such(users, body):
    answer = raw(users, body)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["code"] == "parse_error"


def test_what_is_many_times_side_by_side_is_not_deep(users):
    body = b'{"quiz": [' + b"[], " * 200 + b"{}]}"
    assert raw(users, body).status_code == 422


def test_a_backslash_before_u0000_is_no_character_zero(users):
    assert raw(users, b'{"quiz": "a\\\\u0000b \\u00e9"}').status_code == 422


@pytest.mark.parametrize("size", [1024 * 1024 + 1, 10 * 1024 * 1024])
def test_a_body_of_more_than_a_megabyte_is_not_even_read(users, size):
    answer = raw(users, b" " * size)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("length", ["9" * 400, "-1", "ten"])
def test_a_lying_length_is_refused(users, length):
    assert raw(users, b"{}", CONTENT_LENGTH=length).status_code in {400, 413}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "x", ""])
def test_only_json_is_read(users, kind):
    assert raw(users, b'{"quiz": "x"}', kind).status_code == 415


def test_no_secret_that_was_sent_comes_back(users):
    answer = raw(users, b'{"quiz": "hunter2", "password": "hunter2"}')
    assert answer.status_code == 422
    assert b"hunter2" not in answer.content


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (NotFound(), 404, "not_found"),
        (Refused("closed"), 409, "closed"),
        (Conflict("conflict", revision=3), 409, "conflict"),
        (Invalid("unknown_option", where="chosen.0", slot=2), 422, "unknown_option"),
        (Http404("secret"), 404, "not_found"),
        (PermissionDenied("secret"), 403, "permission_denied"),
        (SuspiciousOperation("secret"), 400, "suspicious"),
        (OperationalError("secret"), 503, "unavailable"),
        (RuntimeError("secret"), 500, "server_error"),
    ],
)
def test_each_error_has_its_status_and_a_stable_code(error, status, code):
    answer = exception_handler(error, {})
    assert answer.status_code == status
    assert f'"code":"{code}"'.encode() in answer.content
    assert b"secret" not in answer.content


def test_a_database_that_is_away_asks_to_come_again(users, a_quiz, monkeypatch):
    def full(**_):
        raise OperationalError("disk is full")

    monkeypatch.setattr(services, "start", full)
    answer = program(users.learner).post("attempts", {"quiz": str(a_quiz.uuid)})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert not Attempt.objects.exists()


def test_the_place_of_an_answer_that_cannot_be_read_is_named():
    content = exception_handler(Invalid("unknown_option", where="chosen.0", slot=2), {}).content
    assert b'"errors":[{"where":"chosen.0","code":"unknown_option","slot":2}]' in content


@pytest.mark.parametrize("path", ["/api/", "/api/v2/quizzes", "/api/v1/nothing", "/api/v1"])
def test_an_address_under_the_api_that_is_none_gets_a_problem_document(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("application/problem+json")
    assert answer.json()["code"] == "not_found"
