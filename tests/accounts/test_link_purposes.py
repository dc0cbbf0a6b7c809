"""What the site signed for one purpose opens nothing at another's address (ASVS 9.2.2)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from accounts import code_request_links, login_throttle
from accounts.models import User
from quizzes.notifications.models import NotificationKind
from quizzes.notifications.preferences import build_token
from quizzes.web import taking_device
from quizzes.web.views import email_address
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db

ADDRESSES = {
    "code": "request_code_by_link",
    "address": "change_address",
    "unsubscribe": "unsubscribe",
}
"""Which page reads the signed text of each purpose; the others are cookies."""


SALTS = {
    "code": code_request_links.SALT,
    "address": email_address.SALT,
    "known device": login_throttle.SALT,
    "taking device": taking_device.SALT,
}
"""What sets the purposes that are signed in the same way apart."""


def write_known_device(user: User) -> str:
    response = HttpResponse()
    login_throttle.remember_device(RequestFactory().get("/"), response, user)
    return response.cookies[login_throttle.KNOWN_DEVICES_COOKIE].value


def write_taking_device() -> str:
    response = taking_device.remember_device(RequestFactory().get("/"), HttpResponse(), uuid4())
    return response.cookies[taking_device.COOKIE].value


def sign_for(purpose: str, user: User) -> str:
    """Return a text that the site signed, as it does, for this person."""
    change = {"person": str(user.uuid), "old": user.email, "new": "new@example.org"}
    texts: dict[str, Any] = {
        "code": lambda: code_request_links.make_link(user.email),
        "address": lambda: signing.dumps(change, salt=email_address.SALT),
        "unsubscribe": lambda: build_token(user, NotificationKind.values[0]),
        "known device": lambda: write_known_device(user),
        "taking device": write_taking_device,
    }
    return str(texts[purpose]())


@pytest.mark.parametrize(
    "purpose", ["code", "address", "unsubscribe", "known device", "taking device"]
)
def test_a_text_signed_for_one_purpose_is_none_for_another(users: Users, purpose: str):
    text = sign_for(purpose, users.learner)
    for reads, name in ADDRESSES.items():
        is_accepted = _is_accepted(users.learner, reverse(name, args=[text]))
        assert is_accepted == (reads == purpose), name


def _is_accepted(user: User, address: str) -> bool:
    """Return whether the page takes a text for its own: it shows it, or the session keeps it."""
    client = logged_in_client(user)
    is_shown = client.get(address).status_code == 200
    return is_shown or code_request_links.SESSION_KEY in client.session


COOKIES: dict[str, tuple[str, Callable[[HttpRequest, User], bool]]] = {
    "known device": (
        login_throttle.KNOWN_DEVICES_COOKIE,
        lambda request, user: login_throttle.is_known_device(request, user.email),
    ),
    "taking device": (
        taking_device.COOKIE,
        lambda request, _user: taking_device.read_device(request) is not None,
    ),
}
"""The cookie of each purpose, and whether it is accepted."""


def accepts(reads: str, text: str, user: User) -> bool:
    """Return whether a cookie with this text is accepted as the site's own."""
    cookie, is_accepted = COOKIES[reads]
    request = RequestFactory().get("/")
    request.COOKIES[cookie] = text
    return is_accepted(request, user)


@pytest.mark.parametrize("reads", COOKIES)
@pytest.mark.parametrize(
    "purpose", ["code", "address", "unsubscribe", "known device", "taking device"]
)
def test_a_cookie_takes_no_text_signed_for_another_purpose(users: Users, reads: str, purpose: str):
    text = sign_for(purpose, users.learner)
    assert accepts(reads, text, users.learner) == (reads == purpose)


@pytest.mark.parametrize("reads", COOKIES)
@pytest.mark.parametrize("purpose", SALTS)
def test_a_cookie_takes_not_even_its_own_words_signed_for_another_purpose(
    users: Users, reads: str, purpose: str
):
    content = signing.loads(sign_for(reads, users.learner), salt=SALTS[reads])
    text = signing.dumps(content, salt=SALTS[purpose])
    assert accepts(reads, text, users.learner) == (reads == purpose)
