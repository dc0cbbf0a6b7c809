"""Tokens and devices of a person: made, named, ended; nobody else's are touched."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from accounts import services
from accounts.models import ApiToken, Session
from accounts.selectors import device_id, list_devices, list_tokens
from accounts.sessions import SessionStore
from quizzes.lib import clock
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
WANTED: dict[str, Any] = {"name": "gradebook", "scopes": ["results", "read", "read"], "days": 30}


def key_of(client) -> str:
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


def test_a_token_is_kept_as_a_hash_with_its_purpose_scopes_and_end(users):
    api_token, token = services.issue_token(user=users.learner, **WANTED)
    row = ApiToken.objects.get()
    assert token not in {str(value) for value in vars(row).values()}
    assert (row.name, row.scopes, row.user) == ("gradebook", ["read", "results"], users.learner)
    assert abs(row.expiry - clock.now() - timedelta(days=30)) < timedelta(minutes=1)
    assert list(list_tokens(users.learner)) == [api_token]
    assert list(list_tokens(users.administrator)) == []


def test_the_last_token_that_may_be_is_made_and_no_other(users, monkeypatch):
    monkeypatch.setattr(services, "MAX_TOKENS", 2)
    for _ in range(2):
        services.issue_token(user=users.learner, **WANTED)
    with pytest.raises(services.TooManyTokens):
        services.issue_token(user=users.learner, **WANTED)
    services.issue_token(user=users.other_learner, **WANTED)
    assert ApiToken.objects.count() == 3


def test_only_its_owner_revokes_a_token_and_only_once(users):
    api_token, _ = services.issue_token(user=users.learner, **WANTED)
    assert not services.revoke_token(user=users.administrator, token=api_token.token_key)
    assert services.revoke_token(user=users.learner, token=api_token.token_key)
    assert not services.revoke_token(user=users.learner, token=api_token.token_key)


def test_devices_are_ones_own_and_this_one_comes_first(users):
    keys = [key_of(logged_in_client(users.learner)) for _ in range(3)]
    logged_in_client(users.other_learner)
    Session.objects.filter(pk=keys[2]).update(expire_date=clock.now() + timedelta(days=99))
    devices = list_devices(users.learner, here=keys[0], now=clock.now())
    assert [device.id for device in devices] == [device_id(key) for key in (keys[0], *keys[:0:-1])]
    assert [device.here for device in devices] == [True, False, False]
    assert not any(key in repr(devices) for key in keys)


def test_what_has_run_out_or_ended_with_the_password_is_no_device(users):
    old, here = key_of(logged_in_client(users.learner)), key_of(logged_in_client(users.learner))
    Session.objects.filter(pk=old).update(expire_date=clock.now() - timedelta(seconds=1))
    assert len(list_devices(users.learner, here=here, now=clock.now())) == 1
    users.learner.set_password("another long password")
    users.learner.save()
    assert list_devices(users.learner, here=here, now=clock.now()) == []


def test_a_session_signed_with_an_older_secret_is_still_a_device(users, settings):
    here = key_of(logged_in_client(users.learner))
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "a newer secret, long enough for anybody who asks"
    assert len(list_devices(users.learner, here=here, now=clock.now())) == 1


def test_the_last_time_the_password_was_given_is_when_one_signed_in(users):
    client = logged_in_client(users.learner)
    store = SessionStore(key_of(client))
    store["account_authentication_methods"] = [{"at": 1_000.0}, {"at": 2_000.5}, {"method": "x"}]
    store.save()
    (device,) = list_devices(users.learner, here="", now=clock.now())
    assert device.signed_in_at is not None
    assert device.signed_in_at.timestamp() == pytest.approx(2_000.5)


def test_nobody_signs_another_out_nor_themselves_out_here(users):
    here, there = key_of(logged_in_client(users.learner)), key_of(logged_in_client(users.learner))
    foreign = key_of(logged_in_client(users.other_learner))
    for key in (foreign, here, "unknown"):
        assert not services.sign_out_device(
            user=users.learner, device=device_id(key), here=here, by=users.learner
        )
    assert Session.objects.count() == 3
    assert services.sign_out_device(
        user=users.learner, device=device_id(there), here=here, by=users.learner
    )
    assert set(Session.objects.values_list("pk", flat=True)) == {here, foreign}


def test_signing_out_elsewhere_leaves_this_device_and_other_people(users):
    keys = [key_of(logged_in_client(users.learner)) for _ in range(3)]
    foreign = key_of(logged_in_client(users.other_learner))
    services.sign_out_elsewhere(user=users.learner, here=keys[1], by=users.learner)
    assert set(Session.objects.values_list("pk", flat=True)) == {keys[1], foreign}
