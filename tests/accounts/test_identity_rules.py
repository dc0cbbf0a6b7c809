"""Whose account an identity opens, by what its provider says."""

import time
from dataclasses import replace
from typing import Any

import pytest

from accounts.identity_rules import (
    IdentityRule,
    choose_rule,
    is_address_proven,
    proves_second_factor,
)
from accounts.openid_connect import read_auth_time
from tests.identity_provider import PROVIDER

TRUSTING = replace(PROVIDER, trusted_domains=frozenset({"school.example"}))


@pytest.mark.parametrize(
    ("address", "email_verified", "is_proven"),
    [
        ("a@school.example", True, True),
        ("A@SCHOOL.example", True, True),
        ("a@school.example", False, False),
        ("a@school.example", "false", False),
        ("a@school.example", "true", False),
        ("a@school.example", None, False),
        ("a@sub.school.example", True, False),
        ("a@other.example", True, False),
        ("a@school.example@other.example", True, False),
        ("@school.example", True, False),
        (None, True, False),
    ],
)
def test_whose_word_counts_for_an_address(address: Any, email_verified: object, is_proven: bool):
    claims = {"email": address, "email_verified": email_verified}
    assert is_address_proven(TRUSTING, claims) == is_proven


def test_a_claim_that_is_not_sent_counts_only_where_the_settings_say_so():
    claims = {"email": "a@school.example"}
    assert not is_address_proven(TRUSTING, claims)
    assert is_address_proven(replace(TRUSTING, sends_email_verified=False), claims)


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ("known", IdentityRule.SIGN_IN),
        ("known closed", IdentityRule.REFUSE_CLOSED_ACCOUNT),
        ("account proven closed", IdentityRule.REFUSE_CLOSED_ACCOUNT),
        ("account proven confirmed closed", IdentityRule.REFUSE_CLOSED_ACCOUNT),
        ("", IdentityRule.REFUSE_UNPROVEN_ADDRESS),
        ("account confirmed", IdentityRule.REFUSE_UNPROVEN_ADDRESS),
        ("account", IdentityRule.REFUSE_UNPROVEN_ADDRESS),
        ("account closed", IdentityRule.REFUSE_UNPROVEN_ADDRESS),
        ("account proven confirmed", IdentityRule.REFUSE_OTHER_ACCOUNT),
        ("account proven", IdentityRule.REPLACE),
        ("proven", IdentityRule.CREATE),
    ],
)
def test_which_account_an_identity_opens(facts: str, rule: IdentityRule):
    words = facts.split()
    chosen = choose_rule(
        is_known="known" in words,
        is_proven="proven" in words,
        has_account="account" in words,
        is_active="closed" not in words,
        is_confirmed="confirmed" in words,
    )
    assert chosen is rule


@pytest.mark.parametrize(
    ("claims", "proves"),
    [
        ({"amr": ["pwd", "mfa"]}, True),
        ({"acr": "mfa"}, True),
        ({"amr": ["pwd"], "acr": "1"}, False),
        ({"amr": "mfa"}, False),
        ({}, False),
    ],
)
def test_what_stands_for_a_second_factor(claims: dict[str, Any], proves: bool):
    trusting = replace(PROVIDER, second_factors=frozenset({"mfa"}))
    assert proves_second_factor(trusting, claims) == proves
    assert not proves_second_factor(PROVIDER, claims)


def test_a_sign_in_that_is_still_to_come_is_none():
    now = time.time()
    for claim, counted in [
        (now - 90, now - 90),
        (now + 30, now + 30),
        (now + 90, None),
        ("1", None),
    ]:
        assert read_auth_time({"auth_time": claim}) == counted
