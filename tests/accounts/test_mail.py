"""Without a mail server people still get in, and hear that a letter did not go out."""

import socket
from collections.abc import Iterator

import pytest
from django.conf import settings as configured
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client

from accounts.models import User
from tests.users import PASSWORD, Users

pytestmark = pytest.mark.django_db
SIGN_UP = {"email": "new@example.org", "password1": PASSWORD, "name": "New"}
NOT_SENT = "The message could not be sent just now."


class Dead(BaseEmailBackend):
    def send_messages(self, _messages):
        raise ConnectionRefusedError


@pytest.fixture
def dead(settings) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Dead"


@pytest.fixture
def mute(settings) -> Iterator[None]:
    """A mail server that takes every call and never says a word."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(5)
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_TIMEOUT = 0.2
        yield


def page(client: Client, address: str, sent: dict[str, str]) -> str:
    response = client.post(f"/accounts/{address}/", sent, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def test_who_signs_up_while_no_mail_goes_out_is_in(client, dead, caplog):
    html = page(client, "signup", SIGN_UP)
    assert NOT_SENT in html
    assert "Confirmation email sent" not in html
    assert client.session["_auth_user_id"] == str(User.objects.get(email="new@example.org").pk)
    assert "ConnectionRefusedError" in caplog.text


def test_while_mail_goes_out_nothing_is_said_of_it_failing(client, mailoutbox):
    html = page(client, "signup", SIGN_UP)
    assert NOT_SENT not in html
    assert "Confirmation email sent" in html
    assert len(mailoutbox) == 1


@pytest.mark.parametrize("is_registered", [True, False])
def test_a_forgotten_password_tells_nothing_of_who_is_known(
    client, users: Users, dead, is_registered
):
    email = users.learner.email if is_registered else "nobody@example.org"
    assert NOT_SENT in page(client, "password/reset", {"email": email})


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_mail_server_that_never_answers_holds_nobody_up(client, mute, caplog):
    assert NOT_SENT in page(client, "signup", SIGN_UP)
    assert "TimeoutError" in caplog.text


def test_a_thread_waits_for_the_mail_server_for_some_seconds_only():
    assert 0 < configured.EMAIL_TIMEOUT <= 5
