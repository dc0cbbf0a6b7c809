"""The page of a link to a new password, where the link no longer works."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.users import Users

PASSWORD = "a new long password"
NO_LONGER = "This link no longer works"


def ask_for_link(email: str, mailoutbox) -> str:
    Client().post("/accounts/password/reset/", {"email": email})
    link = re.search(r"/accounts/password/reset/key/\S+", str(mailoutbox[-1].body))
    assert link is not None
    return link[0]


def test_a_link_that_was_used_says_so(users: Users, mailoutbox):
    link = ask_for_link(users.learner.email, mailoutbox)
    client = Client()
    form = client.get(link, follow=True).request["PATH_INFO"]
    client.post(form, {"password1": PASSWORD, "password2": PASSWORD})
    for browser in (client, Client()):
        answer = browser.get(link, follow=True)
        assert (answer.status_code, NO_LONGER in answer.content.decode()) == (200, True)


@pytest.mark.parametrize("key", ["set-password", "0-0", "c0ffee-deadbeef"])
@pytest.mark.parametrize("uidb36", ["1", "zzzzzz", "0"])
def test_a_made_up_link_says_the_same_whoever_it_names(users: Users, uidb36, key):
    address = reverse("account_reset_password_from_key", args=[uidb36, key])
    answer = Client().get(address)
    assert (answer.status_code, NO_LONGER in answer.content.decode()) == (200, True)
    posted = Client().post(address, {"password1": PASSWORD, "password2": PASSWORD})
    assert (posted.status_code, NO_LONGER in posted.content.decode()) == (200, True)
