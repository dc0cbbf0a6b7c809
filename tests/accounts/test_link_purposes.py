"""What the site signed for one purpose opens nothing at another's address (ASVS 9.2.2)."""

from typing import Any

import pytest
from django.core import signing
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


def sign_for(purpose: str, user: User) -> str:
    """Return a text that the site signed, as it does, for this person."""
    change = {"person": str(user.uuid), "old": user.email, "new": "new@example.org"}
    texts: dict[str, Any] = {
        "code": lambda: code_request_links.make_link(user.email),
        "address": lambda: signing.dumps(change, salt=email_address.SALT),
        "unsubscribe": lambda: build_token(user, NotificationKind.values[0]),
        "known device": lambda: signing.dumps({}, salt=login_throttle.SALT),
        "taking device": lambda: signing.dumps(str(user.uuid), salt=taking_device.SALT),
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
