"""How often a password may be guessed, and that a class behind one address is not locked out."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import pytest
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.login_throttle import (
    KNOWN_DEVICES_COOKIE,
    MAX_ATTEMPTS,
    account_key,
    consume_attempt,
    delete_stale,
    remember_device,
    reset_attempts,
    throttle_key,
)
from accounts.models import Session
from accounts.tasks import sweep_stale
from tests.factories import NOW
from tests.threads import at_once
from tests.users import PASSWORD, Users

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


def test_a_shared_device_remembers_five_people(users: Users):
    request, response = RequestFactory().get("/"), HttpResponse()
    for number in range(7):
        remember_device(request, response, f"{number}@example.org")
        request.COOKIES[KNOWN_DEVICES_COOKIE] = response.cookies[KNOWN_DEVICES_COOKIE].value
    own = [
        throttle_key(request, login) != account_key(login)
        for login in (f"{number}@example.org" for number in range(7))
    ]
    assert own == [False, False, True, True, True, True, True]


def test_the_cookie_of_a_device_names_nobody_and_scripts_cannot_read_it(users: Users):
    cookie = signed_in_on(users.learner.email).cookies[KNOWN_DEVICES_COOKIE]
    assert users.learner.email not in cookie.value
    assert cookie["httponly"]
    assert cookie["path"] == "/accounts/"


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
    settings.ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": "1/m/ip"}
    forged = {"x-forwarded-for": "10.0.0.9, 192.0.2.1"}
    assert not sign_in(users.learner.email, "a guess", **forged)
    forged = {"x-forwarded-for": "10.0.0.8, 192.0.2.1"}  # what a visitor writes is not believed
    assert not sign_in(users.learner.email, PASSWORD, **forged)
    assert sign_in(users.learner.email, PASSWORD, **{"x-forwarded-for": "192.0.2.2"})


def test_the_sign_in_page_believes_as_many_proxies_as_the_rest():
    assert settings.ALLAUTH_TRUSTED_PROXY_COUNT == settings.PROXIES
