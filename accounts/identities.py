"""Use cases of identities: signing in by one, linking one to an account, taking it off again.

An identity is an issuer and a subject there; allauth's table of social accounts keeps one row for
each, under a digest of both. Who may have which account is said in ADR 34.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts import email_confirmation
from accounts.account_audit import record_identity_change
from accounts.identity_claims import apply_claims, remove_granted_roles
from accounts.identity_providers import IdentityProvider
from accounts.identity_rules import (
    IdentityRule,
    choose_rule,
    is_address_proven,
    read_address,
)
from accounts.identity_tokens import digest_identity
from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import NotFound


class IdentityRefused(Exception):
    """An identity opens no account; `rule` says why, `account` whose it would have opened."""

    def __init__(self, rule: IdentityRule, account: User | None) -> None:
        super().__init__(rule)
        self.rule, self.account = rule, account


class IdentityTaken(Exception):
    """The identity is another account's, or this account has one of the provider already."""


class LastSignInMethod(Exception):
    """Without it nobody could sign in to this account but by a code by mail."""


@dataclass(frozen=True)
class ProviderIdentity:
    """Who a provider says that somebody is: its claims are verified."""

    provider: IdentityProvider
    claims: Mapping[str, Any]

    @property
    def uid(self) -> str:
        """What it is kept under: issuer and subject, never an address."""
        return digest_identity(issuer=self.provider.issuer, subject=self.claims["sub"])


def find_provider(provider_id: str) -> IdentityProvider:
    """Return a provider of the settings. NotFound: there is none of this id."""
    for provider in settings.IDENTITY_PROVIDERS:
        if provider.id == provider_id:
            return provider
    raise NotFound


def list_identities(user: User) -> QuerySet[SocialAccount]:
    """Return the identities that are linked to an account."""
    identities: QuerySet[SocialAccount] = SocialAccount.objects.filter(user=user)
    return identities.order_by("pk")


def has_identity(user: User, identity: ProviderIdentity) -> bool:
    """Return whether this identity is linked to this account."""
    return _find(identity).filter(user=user).exists()


def sign_in(identity: ProviderIdentity) -> User:
    """Return the account that this identity opens, made where there is none and it may be.

    Raises IdentityRefused.
    """
    try:
        return _sign_in(identity)
    except (IntegrityError, ValidationError):
        # The same person, a moment before: the row is there now, for the table or for its checks.
        return _sign_in(identity)


@transaction.atomic
def _sign_in(identity: ProviderIdentity) -> User:
    linked = _find(identity).first()
    address = read_address(identity.claims)
    # The account first, here and wherever an identity is linked or taken off: nobody waits for
    # somebody who waits for them.
    accounts = User.objects.select_for_update(no_key=True)
    account = accounts.filter(Q(pk=linked.user_id) if linked else Q(email=address)).first()
    linked = _find(identity).filter(user=account).first() if account else None
    rule = choose_rule(
        is_known=linked is not None,
        is_proven=is_address_proven(identity.provider, identity.claims),
        has_account=account is not None,
        is_active=account is not None and account.is_active,
        is_confirmed=account is not None and account.is_confirmed,
    )
    if account is not None and rule is IdentityRule.SIGN_IN:
        user: User = account
    elif account is not None and rule is IdentityRule.REPLACE:
        user = email_confirmation.replace_account(user=account, password=None)
        linked = _link(user, identity, is_new=True)
    elif rule is IdentityRule.CREATE:
        user = User.objects.create_user(address)
        record(AuditCode.ACCOUNT_CREATED, about=user, by=user)
        email_confirmation.sync_allauth_address(user)
        linked = _link(user, identity, is_new=True)
    else:
        raise IdentityRefused(rule, account)
    apply_claims(user, linked, identity.provider, identity.claims)
    return user


def link(*, user: User, identity: ProviderIdentity) -> None:
    """Link an identity to the account of who is signed in, and has just said who they are.

    NotFound: their address is not confirmed, so its owner may come and would share the account.
    Raises IdentityTaken.
    """
    try:
        _link_signed_in(user, identity)
    except IntegrityError as error:  # another account was quicker, a moment ago
        raise IdentityTaken from error


@transaction.atomic
def _link_signed_in(user: User, identity: ProviderIdentity) -> None:
    owner = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not owner.is_confirmed or not owner.is_active:
        raise NotFound
    linked = _find(identity).first()
    if linked is None:
        if list_identities(owner).filter(provider=identity.provider.id).exists():
            raise IdentityTaken
        linked = _link(owner, identity, is_new=False)
    elif linked.user_id != owner.pk:
        raise IdentityTaken
    apply_claims(owner, linked, identity.provider, identity.claims)


@transaction.atomic
def unlink(*, user: User, identity_id: int) -> None:
    """Take an identity off one's account. NotFound: not theirs. Raises LastSignInMethod.

    Roles that came by it go with it.
    """
    owner = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    linked = list_identities(owner).filter(pk=identity_id).first()
    if linked is None:
        raise NotFound
    others = list_identities(owner).exclude(pk=linked.pk)
    if not (owner.has_usable_password() or others.exists() or _has_sole_passkey(owner)):
        raise LastSignInMethod
    provider_id = linked.provider
    remove_granted_roles(owner, linked)
    linked.delete()
    record_identity_change(owner, before=provider_id, after="")


def _has_sole_passkey(user: User) -> bool:
    """Return whether they have a passkey that signs in alone."""
    rows = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    return any(row.wrap().is_passwordless for row in rows)


def _find(identity: ProviderIdentity) -> QuerySet[SocialAccount]:
    rows: QuerySet[SocialAccount] = SocialAccount.objects.filter(
        provider=identity.provider.id, uid=identity.uid
    )
    return rows


def _link(user: User, identity: ProviderIdentity, *, is_new: bool) -> SocialAccount:
    linked = SocialAccount.objects.create(
        user=user,
        provider=identity.provider.id,
        uid=identity.uid,
        extra_data={"issuer": identity.provider.issuer, "subject": identity.claims["sub"]},
    )
    record_identity_change(user, before="", after=identity.provider.id, is_new=is_new)
    return linked
