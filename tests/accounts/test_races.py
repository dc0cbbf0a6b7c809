"""Races for one address, with real connections on PostgreSQL: it is one person's in the end."""

from functools import partial
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.db import IntegrityError
from django.test import Client

from accounts import email_confirmation, identities
from accounts.identities import ProviderIdentity
from accounts.models import User
from tests.identity_provider import PROVIDER
from tests.threads import at_once
from tests.users import PASSWORD, Users, create_user

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ADDRESS = "teacher@school.example"
ROUNDS = 5


def sign_up() -> str:
    """The page that a sign-up leads to."""
    response = Client().post("/accounts/signup/", {"email": ADDRESS, "password1": PASSWORD})
    return str(response.headers.get("Location", response.status_code))


def owners() -> list[User]:
    return [user for user in User.objects.filter(email=ADDRESS) if user.is_confirmed]


def test_of_many_who_sign_up_with_one_address_at_once_one_has_an_account(db):
    outcomes = at_once([sign_up] * 6)
    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
    assert User.objects.filter(email=ADDRESS).count() == 1


def test_of_many_who_confirm_one_address_at_once_one_has_it(users: Users):
    for attempt in range(ROUNDS):
        User.objects.filter(email=ADDRESS).delete()
        stranger = create_user(f"holder{attempt}", confirmed_email="")
        User.objects.filter(pk=stranger.pk).update(email=ADDRESS)
        stranger.refresh_from_db()
        claimants = [create_user(f"claimant{attempt}-{number}") for number in range(3)]
        calls: list[Any] = [
            partial(email_confirmation.change_address, user=user, address=ADDRESS)
            for user in claimants
        ]
        calls.append(partial(email_confirmation.confirm_address, user=stranger, address=ADDRESS))
        calls.append(partial(email_confirmation.replace_account, user=stranger, password=PASSWORD))
        calls.append(partial(email_confirmation.secure_account, user=stranger, password=PASSWORD))
        problems = [result for result in at_once(calls) if isinstance(result, Exception)]
        assert {type(problem) for problem in problems} <= {email_confirmation.AddressTaken}
        assert len(owners()) == 1


def test_two_who_want_each_others_address_do_not_wait_for_each_other(users: Users):
    for _ in range(ROUNDS):
        first, second = users.learner, users.other_learner
        outcomes = at_once(
            [
                partial(email_confirmation.change_address, user=first, address=second.email),
                partial(email_confirmation.change_address, user=second, address=first.email),
            ]
        )
        assert {type(outcome) for outcome in outcomes} == {email_confirmation.AddressTaken}


def test_a_stale_copy_of_an_account_cannot_take_its_address_back(users: Users):
    stranger = create_user("holder", confirmed_email="")
    stale = User.objects.get(pk=stranger.pk)
    email_confirmation.change_address(user=users.stranger, address=stranger.email)
    with pytest.raises(IntegrityError):
        stale.save()


def test_of_many_first_sign_ins_by_one_identity_at_once_all_get_one_account(db):
    claims = {"sub": "s1", "email": "new@example.org", "email_verified": True}
    calls = [partial(identities.sign_in, ProviderIdentity(PROVIDER, claims))] * 6
    outcomes = at_once(calls)
    assert {type(outcome) for outcome in outcomes} == {User}
    assert User.objects.filter(email="new@example.org").count() == 1
    assert SocialAccount.objects.count() == 1
