"""What every answer says to browsers, whoever answers: a view, a file, an error, a probe."""

import pytest
from django.test import Client

from tests.config.test_settings import REAL, started
from tests.users import PASSWORD

PATHS = [
    "/accounts/login/",
    "/static/web/css/base.css",
    "/nothing",
    "/healthz",
    "/sw.js",
    "/offline",
    "/manifest-en.webmanifest",
    "/api/v1/quizzes",
    "/api/v1/docs",
    "/admin/",
]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_says_what_a_browser_may_do_with_it(db, path):
    response = Client().get(path)
    response.close()
    policy = {part.strip() for part in response["Content-Security-Policy"].split(";")}
    walls = {"default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"}
    assert walls <= policy
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in response


@pytest.mark.parametrize("path", PATHS)
def test_a_text_says_how_it_is_encoded(db, path):
    response = Client().get(path)
    response.close()
    kind = response["Content-Type"]
    assert not kind.startswith("text/") or "charset=" in kind


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_traced_back_to_who_asks(db, path):
    response = Client().trace(path, headers={"x-secret": "seen"})
    response.close()
    assert response.get("Content-Type") != "message/http"
    assert b"seen" not in response.getvalue()


def test_every_cookie_belongs_to_this_host_alone():
    names = """import django; django.setup()
from accounts import login_throttle, zones; from config import settings
from quizzes.web import taking_device
from config.message_storage import MessageCookieStorage as messages
print(settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME,
      login_throttle.KNOWN_DEVICES_COOKIE, zones.COOKIE, zones.DECLINED,
      taking_device.COOKIE, messages.cookie_name)"""
    cookies = started(names, **REAL, DJANGO_SETTINGS_MODULE="config.settings").stdout.split()
    assert len(cookies) == 8
    assert all(name.startswith("__Host-") for name in cookies)


def test_no_cookie_is_sent_along_from_other_sites(users):
    """Scripts read the tokens against forged requests, and no other cookie of signing in."""
    client = Client()
    client.get("/accounts/login/")
    client.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    client.post("/language", {"lang": "es"})
    cookies = {name.removeprefix("__Host-"): cookie for name, cookie in client.cookies.items()}
    assert {"session", "csrftoken", "known_devices", "language"} <= set(cookies)
    assert {cookie["samesite"] for cookie in cookies.values()} == {"Lax"}
    assert {name for name, cookie in cookies.items() if not cookie["httponly"]} == {"csrftoken"}


def test_plain_http_redirects_people_and_refuses_programs(db, settings):
    settings.SECURE_SSL_REDIRECT = True
    client = Client()
    assert client.get("/accounts/login/")["Location"].startswith("https://")
    assert client.get("/api/v1/docs")["Location"].startswith("https://")
    refused = client.get("/api/v1/quizzes", headers={"authorization": "Bearer och_1"})
    assert (refused.status_code, refused.json()["code"]) == (403, "https_required")
    assert "Location" not in refused
    assert client.get("/api/v1/quizzes", secure=True).status_code == 401


@pytest.mark.parametrize("path", ["/static/", "/static/web/", "/media/", "/.git/", "/.git/config"])
def test_no_folder_is_listed(db, path):
    response = Client().get(path)
    response.close()
    assert response.status_code == 404
