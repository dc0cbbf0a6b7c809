"""How often a password may be guessed, and that a class behind one address is not locked out."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.django_db

LIMIT = 10


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


def test_a_class_behind_one_address_signs_in_within_a_minute(cast: Cast):
    assert all(sign_in(cast.learner.email, PASSWORD) for _ in range(35))


def test_the_eleventh_guess_at_an_account_is_not_even_tried(cast: Cast):
    for guess in range(LIMIT):
        assert not sign_in(cast.learner.email, f"guess {guess}")
    assert not sign_in(cast.learner.email, PASSWORD)
    assert sign_in(cast.other_learner.email, PASSWORD)


def test_the_count_of_guesses_outlives_many_other_entries(cast: Cast):
    for guess in range(LIMIT):
        sign_in(cast.learner.email, f"guess {guess}")
    # More than Django's 300, and what sorts first is thrown away first.
    for number in range(400):
        cache.set(f"z{number}", 1, 600)
    assert not sign_in(cast.learner.email, PASSWORD)


def test_visitors_are_told_apart_behind_as_many_proxies_as_there_are(cast: Cast, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": "1/m/ip"}
    forged = {"x-forwarded-for": "10.0.0.9, 192.0.2.1"}
    assert not sign_in(cast.learner.email, "a guess", **forged)
    forged = {"x-forwarded-for": "10.0.0.8, 192.0.2.1"}  # what a visitor writes is not believed
    assert not sign_in(cast.learner.email, PASSWORD, **forged)
    assert sign_in(cast.learner.email, PASSWORD, **{"x-forwarded-for": "192.0.2.2"})


def test_the_sign_in_page_believes_as_many_proxies_as_the_rest():
    assert settings.ALLAUTH_TRUSTED_PROXY_COUNT == settings.PROXIES
