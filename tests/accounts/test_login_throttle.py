"""How often a password may be guessed, and that a class behind one address is not locked out."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import pytest
from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.login_throttle import (
    KNOWN_DEVICES_COOKIE,
    MAX_ATTEMPTS,
    MAX_ATTEMPTS_FROM_BUSY_NETWORK,
    MAX_FAILURES_FROM_NETWORK,
    account_from_network_key,
    account_key,
    attempt_key,
    consume_attempt,
    count_failure_from,
    delete_stale,
    is_known_device,
    is_network_busy,
    locked_until,
    network_key,
    remember_device,
    reset_attempts,
    unlock,
)
from accounts.models import FailedLogins, Session, User
from accounts.tasks import sweep_stale
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from tests.factories import NOW
from tests.threads import at_once
from tests.users import PASSWORD, Users, create_user, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def sign_in(email: str, password: str, **headers: str) -> bool:
    """Whether these words open the door."""
    client = Client(headers=headers)
    client.post("/accounts/login/", {"login": email, "password": password})
    return "_auth_user_id" in client.session


def test_a_class_behind_one_address_signs_in_within_a_minute(users: Users):
    assert all(sign_in(users.learner.email, PASSWORD) for _ in range(35))


def test_the_eleventh_guess_at_an_account_is_not_even_tried(users: Users):
    for guess in range(MAX_ATTEMPTS):
        assert not sign_in(users.learner.email, f"guess {guess}")
    assert not sign_in(users.learner.email, PASSWORD)
    assert sign_in(users.other_learner.email, PASSWORD)


def test_the_count_of_guesses_outlives_many_other_entries(users: Users):
    for guess in range(MAX_ATTEMPTS):
        sign_in(users.learner.email, f"guess {guess}")
    # More than Django's 300, and what sorts first is thrown away first.
    for number in range(400):
        cache.set(f"z{number}", 1, 600)
    assert not sign_in(users.learner.email, PASSWORD)


def signed_in_on(email: str) -> Client:
    """Give a device that has been signed in on before, and is signed out."""
    device = Client()
    device.post("/accounts/login/", {"login": email, "password": PASSWORD})
    assert "_auth_user_id" in device.session
    device.post("/accounts/logout/")
    assert "_auth_user_id" not in device.session
    return device


def test_the_owner_gets_in_on_a_known_device_while_others_guess(users: Users):
    device = signed_in_on(users.learner.email)
    for guess in range(MAX_ATTEMPTS + 1):
        assert not sign_in(users.learner.email, f"guess {guess}")
    device.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    assert "_auth_user_id" in device.session


def test_a_known_device_has_ten_guesses_and_no_more(users: Users):
    device = signed_in_on(users.learner.email)
    for guess in range(MAX_ATTEMPTS):
        device.post("/accounts/login/", {"login": users.learner.email, "password": f"no {guess}"})
    device.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    assert "_auth_user_id" not in device.session
    assert sign_in(users.learner.email, PASSWORD)  # the owner is elsewhere


def test_a_device_is_known_for_its_own_people_alone(users: Users):
    device = signed_in_on(users.learner.email)
    for guess in range(MAX_ATTEMPTS):
        sign_in(users.other_learner.email, f"guess {guess}")
    device.post("/accounts/login/", {"login": users.other_learner.email, "password": PASSWORD})
    assert "_auth_user_id" not in device.session


def test_a_forged_device_is_not_known(users: Users):
    device = Client()
    device.cookies[KNOWN_DEVICES_COOKIE] = signing.dumps(
        {account_key(users.learner.email): "me"}, salt="guess"
    )
    for guess in range(MAX_ATTEMPTS):
        sign_in(users.learner.email, f"guess {guess}")
    device.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    assert "_auth_user_id" not in device.session


def is_owner_let_in(device: Client, user: User, password: str = PASSWORD) -> bool:
    """Sign in on a device while somebody elsewhere has used up the attempts of an account."""
    for guess in range(MAX_ATTEMPTS):
        assert not sign_in(user.email, f"guess {guess}")
    device.post("/accounts/login/", {"login": user.email, "password": password})
    return "_auth_user_id" in device.session


def test_a_device_is_no_longer_known_once_the_password_is_another(users: Users):
    device = signed_in_on(users.learner.email)
    users.learner.set_password("quite another password")
    users.learner.save()
    assert not is_owner_let_in(device, users.learner, "quite another password")


def test_a_device_is_no_longer_known_once_there_is_another_second_factor(users: Users):
    device = signed_in_on(users.learner.email)
    request = RequestFactory().get("/")
    request.COOKIES[KNOWN_DEVICES_COOKIE] = device.cookies[KNOWN_DEVICES_COOKIE].value
    assert is_known_device(request, users.learner.email)
    factor = Authenticator.objects.create(user=users.learner, type="totp", data={})
    assert not is_known_device(request, users.learner.email)
    factor.delete()
    assert is_known_device(request, users.learner.email)


@pytest.mark.parametrize(
    ("one_address", "other_address", "is_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("somewhere", "somewhere", True),
    ],
)
def test_ipv6_counts_by_the_64_bits_that_a_network_is(one_address, other_address, is_same):
    assert (network_key(one_address) == network_key(other_address)) == is_same
    keys = [
        account_from_network_key(address, "a@b.org") for address in (one_address, other_address)
    ]
    assert (keys[0] == keys[1]) == is_same


def test_behind_a_busy_network_an_account_is_locked_after_three(users: Users, busy):
    for guess in range(MAX_ATTEMPTS_FROM_BUSY_NETWORK):
        sign_in(users.learner.email, f"guess {guess}")
    key = account_from_network_key("127.0.0.1", users.learner.email)
    assert locked_until(FailedLogins.objects.get(key=key), timezone.now()) is not None
    everywhere = FailedLogins.objects.get(key=account_key(users.learner.email))
    assert locked_until(everywhere, timezone.now()) is None


def test_a_shared_device_remembers_five_people(users: Users):
    request, response = RequestFactory().get("/"), HttpResponse()
    people = [create_user(str(number)) for number in range(7)]
    for person in people:
        remember_device(request, response, person)
        request.COOKIES[KNOWN_DEVICES_COOKIE] = response.cookies[KNOWN_DEVICES_COOKIE].value
    own = [attempt_key(request, person.email) != account_key(person.email) for person in people]
    assert own == [False, False, True, True, True, True, True]


def test_the_cookie_of_a_device_names_nobody_and_scripts_cannot_read_it(users: Users):
    cookie = signed_in_on(users.learner.email).cookies[KNOWN_DEVICES_COOKIE]
    assert users.learner.email not in cookie.value
    assert cookie["httponly"]
    assert cookie["path"] == "/"


def test_a_right_password_costs_no_try(users: Users):
    assert all(sign_in(users.learner.email, PASSWORD) for _ in range(MAX_ATTEMPTS + 2))


def test_a_quarter_of_an_hour_later_guesses_count_no_more():
    for minute in range(MAX_ATTEMPTS):
        assert consume_attempt(key="k", now=NOW + timedelta(minutes=minute))
    assert not consume_attempt(key="k", now=NOW + timedelta(minutes=14, seconds=59))
    assert consume_attempt(key="k", now=NOW + timedelta(minutes=15, seconds=1))
    assert not consume_attempt(key="k", now=NOW + timedelta(minutes=15, seconds=30))


def test_a_new_password_by_letter_gives_the_tries_back():
    for _ in range(MAX_ATTEMPTS):
        consume_attempt(key="k", now=NOW)
    reset_attempts(key="k")
    assert consume_attempt(key="k", now=NOW)


def test_counts_that_are_over_are_swept_away():
    consume_attempt(key="k", now=NOW)
    assert delete_stale(now=timezone.now()) == 0
    assert delete_stale(now=timezone.now() + timedelta(hours=1)) == 1


def test_housekeeping_deletes_sessions_that_are_over():
    Session.objects.create(session_key="old", expire_date=timezone.now() - timedelta(days=1))
    Session.objects.create(session_key="new", expire_date=timezone.now() + timedelta(days=1))
    sweep_stale()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_a_hundred_guesses_at_once_ten_are_tried():
    granted = at_once([partial(consume_attempt, key="k", now=NOW)] * 30)
    assert sorted(granted, key=str) == [False] * 20 + [True] * MAX_ATTEMPTS


def test_visitors_are_told_apart_behind_as_many_proxies_as_there_are(users: Users, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for visitor in range(4):  # what a visitor writes is not believed
        sign_in(
            users.learner.email, "a guess", **{"x-forwarded-for": f"10.0.0.{visitor}, 192.0.2.1"}
        )
    sign_in(users.learner.email, "a guess", **{"x-forwarded-for": "192.0.2.2"})
    counted = {
        address: len(FailedLogins.objects.get(key=network_key(address)).times)
        for address in ("192.0.2.1", "192.0.2.2")
    }
    assert counted == {"192.0.2.1": 4, "192.0.2.2": 1}


def test_the_sign_in_page_believes_as_many_proxies_as_the_rest():
    assert settings.ALLAUTH_TRUSTED_PROXY_COUNT == settings.PROXIES


# --- One person behind an address that many share --------------------------------------------
@pytest.fixture
def busy() -> None:
    """So many sign-ins have failed from the address of the tests that it is slowed down."""
    for second in range(MAX_FAILURES_FROM_NETWORK):
        now = timezone.now() - timedelta(seconds=second)
        count_failure_from(network_address="127.0.0.1", now=now)
    assert is_network_busy(network_address="127.0.0.1", now=timezone.now())


def test_a_hall_signs_in_while_one_of_them_guesses_at_many_accounts(users: Users, busy):
    assert sign_in(users.learner.email, PASSWORD)
    for guess in range(MAX_ATTEMPTS_FROM_BUSY_NETWORK - 1):
        assert not sign_in(users.other_learner.email, f"a slip {guess}")
    assert sign_in(users.other_learner.email, PASSWORD)


def test_behind_a_busy_address_a_right_password_costs_no_attempt(users: Users, busy):
    for guess in range(MAX_ATTEMPTS_FROM_BUSY_NETWORK - 1):
        assert not sign_in(users.learner.email, f"a slip {guess}")
    for _ in range(MAX_ATTEMPTS_FROM_BUSY_NETWORK + 1):
        assert sign_in(users.learner.email, PASSWORD)


def test_behind_a_busy_address_an_account_has_few_guesses(users: Users, busy):
    for guess in range(MAX_ATTEMPTS_FROM_BUSY_NETWORK):
        assert not sign_in(users.learner.email, f"guess {guess}")
    assert not sign_in(users.learner.email, PASSWORD)
    assert FailedLogins.objects.get(key=account_key(users.learner.email)).times


def test_a_known_device_behind_a_busy_address_has_its_ten(users: Users):
    device = signed_in_on(users.learner.email)
    for _ in range(MAX_FAILURES_FROM_NETWORK):
        count_failure_from(network_address="127.0.0.1", now=timezone.now())
    for guess in range(MAX_ATTEMPTS - 1):
        device.post("/accounts/login/", {"login": users.learner.email, "password": f"no {guess}"})
    device.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    assert "_auth_user_id" in device.session


def test_guesses_at_many_accounts_make_an_address_busy(users: Users, monkeypatch):
    monkeypatch.setattr("accounts.login_throttle.MAX_FAILURES_FROM_NETWORK", 5)
    for number in range(5):
        assert not is_network_busy(network_address="127.0.0.1", now=timezone.now())
        sign_in(f"nobody{number}@example.org", "123456")
    assert is_network_busy(network_address="127.0.0.1", now=timezone.now())
    assert not is_network_busy(
        network_address="127.0.0.1", now=timezone.now() + timedelta(minutes=16)
    )
    assert not is_network_busy(network_address="192.0.2.7", now=timezone.now())


@pytest.mark.parametrize("proxies", [0, 1])
def test_a_thousand_forged_addresses_are_one(users: Users, settings, proxies):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    evaluated = 0
    request = RequestFactory()
    adapter = get_adapter()
    for number in range(1000):
        forged = f"10.0.{number // 250}.{number % 250}, 192.0.2.1"
        sent = request.post("/accounts/login/", headers={"x-forwarded-for": forged})
        try:
            adapter.pre_authenticate(sent, email=users.learner.email, password="a guess")
        except ValidationError:
            continue
        evaluated += 1
        count_failure_from(network_address=adapter.get_client_ip(sent), now=timezone.now())
    assert evaluated == MAX_ATTEMPTS
    real = "192.0.2.1" if proxies else "127.0.0.1"
    assert FailedLogins.objects.get(key=network_key(real)).times


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_a_hundred_sign_ins_at_once_ten_passwords_are_looked_at(users: Users, monkeypatch):
    looked_at: list[str] = []
    monkeypatch.setattr(
        "accounts.adapter.AccountAdapter.authentication_failed",
        lambda _adapter, _request, **credentials: looked_at.append(credentials["password"]),
    )
    attempts = [partial(sign_in, users.learner.email, f"guess {guess}") for guess in range(100)]
    for start in range(0, 100, 20):
        assert not any(at_once(attempts[start : start + 20]))
    assert len(looked_at) == MAX_ATTEMPTS


def test_the_password_is_not_guessed_on_the_page_that_changes_it(users: Users):
    """A device that stands open gives ten guesses, not as many as somebody has time for."""
    device = logged_in_client(users.learner)
    answers = []
    for guess in range(MAX_ATTEMPTS + 2):
        cache.clear()  # of allauth's own counts
        sent = {"oldpassword": f"guess {guess}", "password1": "other words 9", "password2": ""}
        answers.append(device.post("/accounts/password/change/", sent).content.decode())
    assert ["Too many failed attempts" in text for text in answers] == [False] * 10 + [True] * 2
    sent = {"oldpassword": PASSWORD, "password1": "other words 9", "password2": "other words 9"}
    device.post("/accounts/password/change/", sent)
    users.learner.refresh_from_db()
    assert users.learner.check_password(PASSWORD)
    codes = AuditEvent.objects.filter(subject=users.learner.uuid).values_list("code", flat=True)
    assert list(codes).count(AuditCode.SIGN_IN_FAILED) == MAX_ATTEMPTS
    assert AuditCode.SIGN_IN_LOCKED in codes
    unlock(user=users.learner, by=users.instructor)
    device.post("/accounts/password/change/", sent)
    users.learner.refresh_from_db()
    assert users.learner.check_password("other words 9")
