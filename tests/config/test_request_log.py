"""Each request has an id; where it is asked for, an entry, without anything secret."""

import json
import logging
import re
import uuid

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from config.log_format import SECRETS, LineFormatter, create_json_formatter
from quizzes.lib import clock
from tests.attempt_helpers import start
from tests.factories import create_quiz
from tests.users import logged_in_client

LOGGER = "config.request_log"


@pytest.fixture
def entries(settings, caplog):
    settings.ACCESS_LOG = True
    caplog.set_level(logging.DEBUG)
    return caplog


def test_each_answer_has_an_id_of_its_own(entries, db):
    ids = {Client().get("/accounts/login/")["X-Request-ID"] for _turn in range(2)}
    assert len(ids) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", value) for value in ids)


@pytest.mark.parametrize(
    ("proxies", "proposed", "is_taken"),
    [(1, "abcdef-123456", True), (0, "abcdef-123456", False), (1, "a b\r\nX: y", False)],
)
def test_an_id_is_taken_from_a_trusted_proxy_alone(
    entries, settings, db, proxies, proposed, is_taken
):
    settings.PROXIES = proxies
    answer = Client().get("/accounts/login/", headers={"X-Request-ID": proposed})
    assert (answer["X-Request-ID"] == proposed) is is_taken


def test_without_the_setting_no_request_is_written(db, caplog):
    caplog.set_level(logging.DEBUG)
    assert "X-Request-ID" not in Client().get("/accounts/login/")
    assert [record for record in caplog.records if record.name == LOGGER] == []


def test_an_entry_says_what_how_long_and_whose(entries, users):
    answer = logged_in_client(users.learner).get("/", REMOTE_ADDR="192.0.2.7")
    (record,) = [record for record in entries.records if record.name == LOGGER]
    content = json.loads(create_json_formatter().format(record))
    assert answer.status_code == 200
    assert (content["method"], content["path"], content["status"]) == ("GET", "/", 200)
    assert content["duration_ms"] > 0
    assert (content["user"], content["address"]) == (str(users.learner.uuid), "192.0.2.7")


def test_files_of_the_site_are_not_written(entries, db):
    Client().get("/static/web/css/base.css").close()
    assert [record for record in entries.records if record.name == LOGGER] == []


def test_no_entry_has_an_answer_a_password_or_a_link(entries, users, questions):
    """Whatever happens, at the lowest level that is written by default."""
    attempt = start(create_quiz(users, questions), users.learner, clock.now())
    client = logged_in_client(users.learner)
    secrets = [uuid.uuid4().hex for _number in range(5)]
    client.post(reverse("attempt", args=[attempt.uuid]), {"q-0": secrets[0], "action": "save"})
    saves = {"saves": [{"slot": 0, "answer": {"text": secrets[0]}}]}
    client.post(reverse("save", args=[attempt.uuid]), saves, content_type="application/json")
    Client().post("/accounts/login/", {"login": "a@example.org", "password": secrets[1]})
    Client().get(reverse("account_reset_password_from_key", args=["1", secrets[2]]))
    Client().get(reverse("accept_invitation", args=[secrets[3]]))
    client.get(reverse("change_address", args=[secrets[2]]))
    client.get(f"/join/{secrets[4]}/?token={secrets[3]}")
    Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secrets[4]}"})
    lines = [LineFormatter("{message}", style="{").format(record) for record in entries.records]
    lines += [create_json_formatter().format(record) for record in entries.records]
    assert len([line for line in lines if "X-Request" not in line]) > 10
    assert [line for line in lines if any(secret in line for secret in secrets)] == []


def test_every_text_in_a_route_that_is_no_id_is_known():
    """A new route with a secret in its path belongs into SECRETS, another into this list."""
    harmless = {"action", "extension", "device", "id", "language", "name"}
    harmless |= {"provider_id", "slug"}
    harmless |= {"answer"}  # the name of one that a person marks, which tells nothing of it
    harmless |= {"app_label", "object_id", "url", "uidb36"}  # of the admin; a person's number
    names = set()

    def collect(resolver):
        for pattern in resolver.url_patterns:
            regex = pattern.pattern.regex
            converters = getattr(pattern.pattern, "converters", {})
            for name in regex.groupindex:
                kind = type(converters.get(name)).__name__
                if kind not in {"IntConverter", "UUIDConverter"}:
                    names.add(name)
            if hasattr(pattern, "url_patterns"):
                collect(pattern)

    collect(get_resolver())
    assert set(SECRETS) <= names
    assert names - set(SECRETS) <= harmless
