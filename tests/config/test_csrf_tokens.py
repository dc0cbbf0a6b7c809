"""Tokens of forms are Django's: what checks them reads them."""

from collections import Counter
from typing import Any

import pytest
from django.middleware import csrf as django_csrf
from django.test import Client, RequestFactory

from config.csrf_tokens import EVEN, LETTERS, UNEVEN, add_csrf_token, mask_secret

csrf: Any = django_csrf
SECRET = "aZ09" * 8


def test_django_reads_the_secret_from_each_of_many_different_tokens():
    tokens = {mask_secret(SECRET) for _ in range(500)}
    assert len(tokens) == 500
    assert {csrf._unmask_cipher_token(token) for token in tokens} == {SECRET}
    for token in tokens:
        csrf._check_token_format(token)


def test_each_letter_of_a_mask_is_as_likely_as_the_others():
    letters = Counter(LETTERS[byte] for byte in range(256) if byte not in UNEVEN)
    assert set(letters) == set(csrf.CSRF_ALLOWED_CHARS.encode())
    assert set(letters.values()) == {EVEN // 62}


def test_a_mask_is_whole_where_bytes_are_drawn_anew(monkeypatch):
    drawn = iter([b"\xff" * 60 + b"abcd", bytes(range(64))])
    monkeypatch.setattr("config.csrf_tokens.os.urandom", lambda _: next(drawn))
    assert csrf._unmask_cipher_token(mask_secret(SECRET)) == SECRET


def test_the_cookie_is_sent_and_a_first_secret_made_as_by_django():
    request = RequestFactory().get("/")
    first = str(add_csrf_token(request)["csrf_token"])
    assert request.META["CSRF_COOKIE"] == csrf._unmask_cipher_token(first)
    del request.META["CSRF_COOKIE_NEEDS_UPDATE"]
    token = add_csrf_token(request)["csrf_token"]
    assert "CSRF_COOKIE_NEEDS_UPDATE" not in request.META
    assert csrf._does_token_match(str(token), request.META["CSRF_COOKIE"])
    assert request.META["CSRF_COOKIE_NEEDS_UPDATE"]


@pytest.mark.django_db
def test_a_form_of_a_page_is_accepted_with_its_token_and_with_no_other():
    client = Client(enforce_csrf_checks=True)
    page = client.get("/accounts/login/").content.decode()
    token = page.partition('name="csrfmiddlewaretoken" value="')[2][:64]
    statuses = [
        client.post("/language", {"language": "es", "csrfmiddlewaretoken": sent}).status_code
        for sent in (token, mask_secret(SECRET))
    ]
    assert statuses == [302, 403]
