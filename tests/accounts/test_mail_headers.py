"""What people type breaks out of no header of a mail."""

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from tests.users import PASSWORD, Users

BREAKS = ["a@example.org\nBcc: b@example.org", "a@example.org\r\nSubject: forged", "a@b\x00.org"]
PAGES = ["/accounts/signup/", "/accounts/password/reset/", "/accounts/login/code/"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("address", BREAKS)
def test_an_address_of_two_lines_sends_no_mail(users: Users, mailoutbox, page, address):
    assert Client().get(page).status_code == 200
    Client().post(page, {"email": address, "password1": PASSWORD, "name": "N"})
    assert mailoutbox == []


def test_a_name_of_two_lines_stands_in_no_header(
    db, mailoutbox, django_capture_on_commit_callbacks
):
    cache.clear()  # of sign-ups that were counted before
    name = "N\nBcc: b@example.org"
    with django_capture_on_commit_callbacks(execute=True):
        Client().post(
            "/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD, "name": name}
        )
    (message,) = mail.outbox
    assert message.recipients() == ["new@example.org"]
    assert "b@example.org" not in str(message.message().items())
