"""Whoever asks with an address is answered after the same work, registered or not."""

import re
from collections.abc import Mapping

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import FailedLogins, User
from quizzes.audit.models import RefusalCount
from tests.query_counts import statements
from tests.users import PASSWORD, Users

pytestmark = pytest.mark.django_db

REQUEST, CONFIRM = "/accounts/login/code/", "/accounts/login/code/confirm/"
SIGN_IN, NEW_PASSWORD = "/accounts/login/", "/accounts/password/reset/"


def count_work(client: Client, address: str, sent: Mapping[str, str]) -> tuple[list[str], int]:
    """Return verbs and tables of the statements of a POST, sorted, and how many mails it sent."""
    mail.outbox.clear()
    with statements() as sent_statements:
        client.post(address, dict(sent))
    pattern = re.compile(r'^(\w+).*?(?:FROM|INTO|UPDATE) "(\w+)"|^(\w+)', re.DOTALL)
    matches = [pattern.match(statement) for statement in sent_statements]
    tables = [" ".join(filter(None, match.groups())) for match in matches if match]
    return sorted(tables), len(mail.outbox)


@pytest.mark.parametrize("address", [REQUEST, SIGN_IN, CONFIRM, NEW_PASSWORD])
def test_the_same_statements_and_mails_answer_each_address(users: Users, address: str):
    User.objects.create_user("unconfirmed@example.org", PASSWORD, confirmed_email="")
    work = {}
    for email in (users.learner.email, "nobody@example.org", "unconfirmed@example.org"):
        FailedLogins.objects.all().delete()
        cache.clear()
        client = Client()
        if address == CONFIRM:
            client.post(REQUEST, {"email": email})
        sent = {"email": email, "login": email, "password": "a wrong one", "code": "000000"}
        RefusalCount.objects.all().delete()
        work[email] = count_work(client, address, sent)
    assert len({repr(statements) for statements in work.values()}) == 1, work


def test_signing_up_answers_alike_whether_the_address_has_an_account_or_not(users: Users, settings):
    """Where addresses are to be confirmed; the mail says it to who reads that address."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    answers = []
    for email in (users.learner.email, "nobody@example.org"):
        cache.clear()
        client = Client()
        sent = {"email": email, "password1": "correct horse battery 9", "name": "Somebody"}
        answer = client.post("/accounts/signup/", sent)
        page = client.get(answer["Location"]).content.decode().replace(email, "ADDRESS")
        page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
        answers.append((answer.status_code, answer["Location"], sorted(client.cookies), page))
    assert answers[0] == answers[1]
    assert [message.to for message in mail.outbox] == [
        [users.learner.email],
        ["nobody@example.org"],
    ]
