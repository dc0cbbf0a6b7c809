"""Signing in as a browser does: a fault is told in words."""

from http.client import HTTPMessage

import pytest

from tools import signing
from tools.signing import sign_in

FORM = '<input type="hidden" name="csrfmiddlewaretoken" value="abc">'


@pytest.fixture
def site(monkeypatch):
    """Give the answers of a site by method; a test says which of them is another."""
    answers = {"GET": (200, "csrftoken=xyz; Path=/", FORM), "POST": (302, "/", "")}
    paths = []

    def ask(_port, method, body, headers):
        paths.append((method, body, headers))
        status, header, page = answers[method]
        message = HTTPMessage()
        message["Set-Cookie" if method == "GET" else "Location"] = header
        return status, message, page

    monkeypatch.setattr(signing, "_ask", ask)
    return answers, paths


def test_who_arrives_at_home_has_signed_in(site):
    _answers, paths = site
    assert sign_in(1, "ana@example.org", "secret") == ""
    method, body, headers = paths[1]
    assert (method, headers) == ("POST", {"Cookie": "csrftoken=xyz"})
    assert body == "csrfmiddlewaretoken=abc&login=ana%40example.org&password=secret"


@pytest.mark.parametrize(
    ("method", "answer", "fault"),
    [
        ("GET", (503, "", "away"), "/accounts/login/ answers 503 without a form"),
        ("POST", (200, "", FORM), "signing in answers 200 "),
        ("POST", (302, "/accounts/confirm-email/", ""), "answers 302 /accounts/confirm-email/"),
    ],
)
def test_who_does_not_is_told_why(site, method, answer, fault):
    site[0][method] = answer
    assert fault in sign_in(1, "ana@example.org", "secret")
