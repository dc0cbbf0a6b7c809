"""Tokens: made by people in a session, shown once, kept as a hash, gone when revoked."""

import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from accounts import services
from accounts.models import ApiToken
from quizzes.lib import clock
from tests.quizzes.api.programs import ROOT, Program
from tests.users import PASSWORD, authenticate_at, logged_in_client

pytestmark = pytest.mark.django_db
WANTED = {"name": "gradebook", "scopes": ["read"], "days": 30}


@pytest.fixture(autouse=True)
def _no_history():
    cache.clear()


def make(client, body=None, **headers):
    return client.post(
        f"{ROOT}tokens", body or WANTED, content_type="application/json", headers=headers
    )


def test_a_token_is_shown_once_and_kept_as_a_hash(users):
    browser = logged_in_client(users.learner)
    token = make(browser).json()
    assert token["token"].startswith("och_")
    assert Program(token["token"]).get("me").status_code == 200
    listed = browser.get(f"{ROOT}tokens")
    assert token["token"] not in listed.content.decode()
    assert [row["id"] for row in listed.json()["items"]] == [token["id"]]
    row = ApiToken.objects.get()
    assert token["token"] not in {str(value) for value in vars(row).values()}
    assert abs(row.expiry - clock.now() - timedelta(days=30)) < timedelta(minutes=1)


def test_a_revoked_token_is_refused_at_the_very_next_request(users):
    browser = logged_in_client(users.learner)
    token = make(browser).json()
    assert browser.delete(f"{ROOT}tokens/{token['id']}").status_code == 204
    assert Program(token["token"]).get("me").status_code == 401
    assert browser.delete(f"{ROOT}tokens/{token['id']}").status_code == 404


def test_nobody_revokes_or_sees_anothers_token(users):
    token = make(logged_in_client(users.learner)).json()
    other = logged_in_client(users.administrator)
    assert other.delete(f"{ROOT}tokens/{token['id']}").status_code == 404
    assert other.get(f"{ROOT}tokens").json()["items"] == []
    assert Program(token["token"]).get("me").status_code == 200


def test_a_session_needs_the_csrf_token_to_write(users):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.learner)
    authenticate_at(strict, users.learner, time.time())
    refused = make(strict)
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    strict.cookies["csrftoken"] = "a" * 32
    assert make(strict, **{"X-CSRFToken": "a" * 32}).status_code == 201


@pytest.mark.parametrize(
    "change",
    [
        {"scopes": []},
        {"scopes": ["everything"]},
        {"scopes": "read"},
        {"days": 0},
        {"days": 366},
        {"days": "30"},
        {"name": ""},
        {"name": "x" * 101},
        {"name": 7},
        {"user": 1},
    ],
)
def test_a_senseless_wish_makes_no_token(users, change):
    refused = make(logged_in_client(users.learner), WANTED | change)
    assert refused.status_code == 422
    assert not ApiToken.objects.exists()


def test_making_tokens_is_limited_and_the_limit_announced(users):
    browser = logged_in_client(users.learner)
    answers = [make(browser) for _ in range(11)]
    assert [a.status_code for a in answers] == [201] * 10 + [429]
    assert [a["RateLimit-Remaining"] for a in answers[:3]] == ["9", "8", "7"]
    assert answers[-1]["RateLimit-Limit"] == "10"
    assert answers[-1].json()["code"] == "throttled"
    assert int(answers[-1]["Retry-After"]) > 0
    assert make(logged_in_client(users.other_learner)).status_code == 201


def test_nobody_hoards_tokens(users, monkeypatch):
    monkeypatch.setattr(services, "MAX_TOKENS", 1)
    browser = logged_in_client(users.learner)
    make(browser)
    refused = make(browser)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_tokens")
    with pytest.raises(CommandError, match="too many tokens"):
        call_command("make_token", users.learner.email)


def test_use_is_noted_at_most_once_a_minute(users, django_assert_num_queries):
    _, token = ApiToken.objects.create(
        user=users.learner, scopes=["read"], expiry=timedelta(days=1)
    )
    client = Program(token)
    client.get("me")
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    client.get("me")
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    client.get("me")
    assert ApiToken.objects.get().last_used_at >= first


def test_a_password_is_no_token(users):
    client = Client(
        HTTP_AUTHORIZATION="Basic bGVhcm5lckBleGFtcGxlLm9yZzphIGdvb2QgbG9uZyBwYXNzd29yZA"
    )
    assert client.get(f"{ROOT}me").status_code == 401
    assert Program(PASSWORD).get("me").status_code == 401


def test_the_command_prints_a_token_that_works(users, capsys):
    call_command("make_token", "Learner@example.org", "--scopes", "read", "--days", "1")
    assert Program(capsys.readouterr().out.strip()).get("me").status_code == 200
    with pytest.raises(CommandError):
        call_command("make_token", "nobody@example.org")
