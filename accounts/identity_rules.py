"""Whose account an identity of another provider opens: decided here, apart from requests."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from accounts.addresses import normalize
from accounts.identity_providers import IdentityProvider


class IdentityRule(StrEnum):
    """What becomes of a sign-in by a provider."""

    SIGN_IN = "sign_in"
    CREATE = "create"
    REPLACE = "replace"
    """An account never confirmed this address, and loses it to a new one.

    A stranger may have set its password.
    """
    REFUSE_CLOSED_ACCOUNT = "refuse_closed_account"
    REFUSE_UNPROVEN_ADDRESS = "refuse_unproven_address"
    """Whether the address has an account here makes no difference to what is answered."""
    REFUSE_OTHER_ACCOUNT = "refuse_other_account"
    """A confirmed account has the address: its owner signs in there as before, and links."""


def is_address_proven(provider: IdentityProvider, claims: Mapping[str, Any]) -> bool:
    """Return whether the provider's word counts for the address in these claims.

    `email_verified` must be true itself: some providers send "false" as text, which is not empty.
    """
    address = read_address(claims)
    try:
        validate_email(address)
    except ValidationError:
        return False
    if address.rpartition("@")[2] not in provider.trusted_domains:
        return False
    if "email_verified" in claims:
        return claims["email_verified"] is True
    return not provider.sends_email_verified


def read_address(claims: Mapping[str, Any]) -> str:
    """Return the address in its one form; "" without one."""
    address = claims.get("email")
    return normalize(address) if isinstance(address, str) else ""


def proves_second_factor(provider: IdentityProvider, claims: Mapping[str, Any]) -> bool:
    """Return whether the person gave the provider what the settings take for a second factor."""
    methods = claims.get("amr")
    values = {claims.get("acr"), *(methods if isinstance(methods, list) else [])}
    return not provider.second_factors.isdisjoint(map(str, values))


def choose_rule(
    *, is_known: bool, is_proven: bool, has_account: bool, is_active: bool, is_confirmed: bool
) -> IdentityRule:
    """Return what to do.

    `is_active` and `is_confirmed` are of the account with this identity or, if there is none, with
    this address; without either they do not count.
    """
    if is_known:
        return IdentityRule.SIGN_IN if is_active else IdentityRule.REFUSE_CLOSED_ACCOUNT
    if not is_proven:
        return IdentityRule.REFUSE_UNPROVEN_ADDRESS
    if not has_account:
        return IdentityRule.CREATE
    if not is_active:
        return IdentityRule.REFUSE_CLOSED_ACCOUNT
    return IdentityRule.REFUSE_OTHER_ACCOUNT if is_confirmed else IdentityRule.REPLACE
