"""One's data over the API: a copy, and the erasure that can be taken back."""

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from quizzes.privacy.tasks import handle_data_requests
from tests.quizzes.api.programs import Program, program
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(users: Users, settings: Any, tmp_path: Any) -> Program:
    settings.MEDIA_ROOT = tmp_path
    return program(users.learner, "personal_data")


def test_a_copy_is_asked_for_made_and_fetched_by_its_person_alone(users: Users, client: Program):
    assert client.get("me/export").status_code == 404
    answer = client.post("me/export")
    assert (answer.status_code, answer.json()["state"]) == (202, "waiting")
    assert client.get("me/export/file").status_code == 404
    handle_data_requests()
    assert client.get("me/export").json()["state"] == "done"
    answer = client.get("me/export/file")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert "data.json" in ZipFile(BytesIO(answer.getvalue())).namelist()
    other = program(users.administrator, "personal_data")
    assert other.get("me/export/file").status_code == 404


def test_an_erasure_is_asked_for_once_and_taken_back(users: Users, client: Program):
    assert client.delete("me/erasure").status_code == 404
    first, second = (client.post("me/erasure") for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json()["id"] == second.json()["id"]
    assert client.get("me/erasure").json()["state"] == "waiting"
    assert client.delete("me/erasure").status_code == 204
    assert client.get("me/erasure").json()["state"] == "withdrawn"


def test_what_prevents_an_erasure_is_named(users: Users, client: Program, a_quiz: Any):
    program(users.learner).start(a_quiz)
    answer = client.post("me/erasure")
    assert (answer.status_code, answer.json()["code"]) == (409, "attempt_not_ended")


@pytest.mark.parametrize("scope", ["read", "classes", "results"])
def test_no_other_scope_reads_or_erases(users: Users, scope: str):
    client = program(users.learner, scope)
    for path in ("me/export", "me/export/file", "me/erasure"):
        assert client.get(path).json()["code"] == "scope_missing"
    assert client.post("me/erasure").json()["code"] == "scope_missing"


def test_a_browser_says_again_who_it_is(users: Users, client: Program):
    browser = logged_in_client(users.learner)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": 0}]
    session.save()
    answer = browser.post("/api/v1/me/erasure", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "reauthentication_required")
