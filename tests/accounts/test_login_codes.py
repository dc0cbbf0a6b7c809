"""Codes by mail: the owner always gets in, a stranger never, and guessing a code leads nowhere."""

import math
import re
from collections.abc import Iterator
from functools import partial

import pytest
from allauth.account.adapter import get_adapter
from allauth.mfa import app_settings as mfa_settings
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.login_throttle import (
    MAX_ATTEMPTS,
    MAX_CODES,
    MAX_FAILURES_FROM_NETWORK,
    count_failure_from,
    unlock,
)
from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from tests.threads import at_once
from tests.users import PASSWORD, Users

pytestmark = pytest.mark.django_db

CODE = re.compile(r"^[0-9A-Z-]{6,}$", re.MULTILINE)
LINK = re.compile(r"/accounts/login/code/link/\S+/")
REQUEST, CONFIRM = "/accounts/login/code/", "/accounts/login/code/confirm/"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def request_code(client: Client, email: str) -> str:
    """Ask for a code; return the one that the mail has, or nothing where none was sent."""
    mail.outbox.clear()
    assert client.post(REQUEST, {"email": email}).status_code in {200, 302}
    match = CODE.search(str(mail.outbox[0].body)) if mail.outbox else None
    return match.group() if match else ""


def lock(email: str) -> None:
    for guess in range(MAX_ATTEMPTS):
        Client().post("/accounts/login/", {"login": email, "password": f"guess {guess}"})


def test_a_code_lets_the_owner_in_while_others_guess_and_unlocks_the_password(users: Users):
    lock(users.learner.email)
    for _ in range(MAX_FAILURES_FROM_NETWORK):
        count_failure_from(network_address="127.0.0.1", now=timezone.now())
    client = Client()
    code = request_code(client, f" {users.learner.email.upper()} ")
    assert mail.outbox[0].to == [users.learner.email]
    client.post(CONFIRM, {"code": code})
    assert is_signed_in(client)
    other = Client()
    other.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    assert is_signed_in(other)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "sign in with a code by mail"), ("es", "inicia sesión con un código por correo")],
)
def test_who_is_locked_out_is_told_of_codes(users: Users, language, sentence):
    lock(users.learner.email)
    sent = {"login": users.learner.email, "password": PASSWORD}
    client = Client(headers={"accept-language": language})
    page = client.post("/accounts/login/", sent).content.decode()
    assert sentence in page
    assert 'href="/accounts/login/code/"' in page


def test_strangers_elsewhere_cannot_use_up_the_codes_of_the_owner(users: Users):
    for _ in range(MAX_CODES + 2):
        stranger = Client(REMOTE_ADDR="192.0.2.66")
        last = request_code(stranger, users.learner.email)
    assert not last
    assert request_code(Client(), users.learner.email)


def test_who_has_used_up_the_codes_of_a_hall_is_undone_by_unlocking(users: Users):
    for _ in range(MAX_CODES + 1):
        last = request_code(Client(), users.learner.email)
    assert not last
    unlock(user=users.learner, by=users.instructor)
    assert request_code(Client(), users.learner.email)


def use_up_codes(email: str) -> str:
    """Ask for codes in the name of another until none is sent; return the last mail."""
    for _ in range(MAX_CODES):
        assert request_code(Client(), email)
        last = str(mail.outbox[0].body)
    assert not request_code(Client(), email)
    return last


def find_link(message: str) -> str:
    match = LINK.search(message)
    assert match
    return match.group()


def test_the_link_in_a_mail_lets_the_owner_ask_for_codes_behind_a_shared_address(users: Users):
    link = find_link(use_up_codes(users.learner.email))
    owner = Client()
    assert not request_code(owner, users.learner.email)
    page = owner.get(link, follow=True)
    assert f'value="{users.learner.email}"' in page.content.decode()
    code = request_code(owner, users.learner.email)
    owner.post(CONFIRM, {"code": code})
    assert is_signed_in(owner)


def test_the_link_in_a_mail_counts_for_its_account_alone_and_five_times_in_all(users: Users):
    use_up_codes(users.other_learner.email)
    link = find_link(use_up_codes(users.learner.email))
    sent = []
    for _ in range(MAX_CODES + 1):
        browser = Client()
        browser.get(link)
        assert not request_code(browser, users.other_learner.email)
        sent.append(bool(request_code(browser, users.learner.email)))
    assert sent == [True] * MAX_CODES + [False]


@pytest.mark.parametrize("seconds", [899, 901])
def test_the_link_in_a_mail_works_for_a_quarter_of_an_hour(users: Users, time_machine, seconds):
    time_machine.move_to(timezone.now(), tick=False)
    request_code(Client(), users.learner.email)
    link, client = find_link(str(mail.outbox[0].body)), Client()
    time_machine.shift(seconds)
    page = client.get(link, follow=True)
    assert ("This link is too old." in page.content.decode()) == (seconds > 900)
    for _ in range(MAX_CODES + 1):
        request_code(Client(), users.learner.email)
    assert bool(request_code(client, users.learner.email)) == (seconds < 900)


def test_a_forged_link_gives_nobody_codes(users: Users):
    link = find_link(use_up_codes(users.learner.email))
    client = Client()
    page = client.get(f"{link[:-2]}x/", follow=True)
    assert "This link is too old." in page.content.decode()
    assert not request_code(client, users.learner.email)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Follow the link in the newest message"), ("es", "Abre el enlace del último mensaje")],
)
def test_who_is_sent_no_code_any_more_is_told_of_the_link(users: Users, language, sentence):
    use_up_codes(users.learner.email)
    client = Client(headers={"accept-language": language})
    page = client.post(REQUEST, {"email": users.learner.email}).content.decode()
    assert sentence in page


def test_nobody_learns_from_the_pages_who_has_an_account(users: Users):
    answers = []
    for email in (users.learner.email, "nobody@example.org"):
        client = Client()
        request_page = client.post(REQUEST, {"email": email}, follow=True)
        wrong = client.post(CONFIRM, {"code": "000000"})
        page = request_page.content.decode() + wrong.content.decode()
        token = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
        answers.append(token.sub("", page).replace(email, "…"))
    assert answers[0] == answers[1]


def test_codes_by_mail_and_recovery_codes_have_20_bits():
    codes = [get_adapter().generate_login_code().replace("-", "") for _ in range(200)]
    symbols = {symbol for code in codes for symbol in code}
    assert min(len(code) for code in codes) * math.log2(len(symbols)) >= 20
    assert mfa_settings.RECOVERY_CODE_DIGITS * math.log2(10) >= 20


def test_who_made_an_account_with_the_address_of_another_does_not_share_it(users: Users):
    account = User.objects.create_user("victim@example.org", PASSWORD, confirmed_email="")
    client = Client()
    assert not request_code(client, account.email)
    assert "/accounts/password/reset/" in str(mail.outbox[0].body)
    client.post(CONFIRM, {"code": ""})
    assert not is_signed_in(client)
    account.refresh_from_db()
    assert not account.is_confirmed


def test_a_code_is_guessed_three_times_and_recorded(users: Users):
    client = Client()
    code = request_code(client, users.learner.email)
    for guess in ("000000", "111111", "222222"):
        client.post(CONFIRM, {"code": guess})
    client.post(CONFIRM, {"code": code})
    assert not is_signed_in(client)
    failed = AuditEvent.objects.filter(code=AuditCode.SIGN_IN_FAILED)
    assert {event.subject for event in failed} == {users.learner.uuid}


def test_a_code_works_once_and_in_its_own_browser(users: Users):
    first, second = Client(), Client()
    code = request_code(first, users.learner.email)
    request_code(second, users.learner.email)
    second.post(CONFIRM, {"code": code})
    assert not is_signed_in(second)
    first.post(CONFIRM, {"code": code})
    assert is_signed_in(first)
    first.post("/accounts/logout/")
    first.post(CONFIRM, {"code": code})
    assert not is_signed_in(first)


def test_a_code_is_over_after_ten_minutes(users: Users, settings, time_machine):
    now = timezone.now()
    time_machine.move_to(now)
    client = Client()
    code = request_code(client, users.learner.email)
    assert settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT == 600
    time_machine.shift(601)
    client.post(CONFIRM, {"code": code})
    assert not is_signed_in(client)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_guesses_at_once_in_one_browser_three_are_compared(users: Users, monkeypatch):
    client = Client()
    request_code(client, users.learner.email)
    compared: list[str] = []

    def compare(actual: str, expected: str) -> bool:
        compared.append(actual)
        return False

    monkeypatch.setattr("allauth.account.forms.compare_user_code", compare)

    def guess(code: str) -> None:
        copy = Client()
        copy.cookies.update(client.cookies)
        copy.post(CONFIRM, {"code": code})

    at_once([partial(guess, f"{number:06}") for number in range(20)])
    assert len(compared) <= 3


def test_who_mistypes_a_code_three_times_asks_for_another_and_is_in(users: Users):
    client = Client()
    request_code(client, users.learner.email)
    for _ in range(3):
        client.post(CONFIRM, {"code": "BBBB-BBBB"})
    client.post(CONFIRM, {"code": request_code(client, users.learner.email)})
    assert is_signed_in(client)
