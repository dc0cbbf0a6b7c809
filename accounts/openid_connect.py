"""Signing in by OpenID Connect: to a provider with a question, and back with its signed answer.

The code flow with PKCE, a state and a nonce that belong to one session, and an id token that we
verify ourselves. What becomes of the answer is decided in `identities`.
"""

import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import build_absolute_uri
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from requests import RequestException

from accounts.identity_providers import IdentityProvider
from accounts.identity_tokens import (
    CLOCK_LEEWAY,
    IdTokenInvalid,
    SigningKeyUnknown,
    check_same_subject,
    verify_id_token,
)

log = logging.getLogger(__name__)

CACHE_SECONDS = 600
"""How long a provider's description and keys are kept; an unknown key has them fetched at once."""
FAILURE_SECONDS = 15
"""How long a provider that does not answer is not asked again: each visitor would wait for it."""
FAILURES = (RequestException, OAuth2Error, IdTokenInvalid, ValueError, TypeError, KeyError)
SIGN_IN_CLAIMS = frozenset({"auth_time", "amr", "acr"})
"""How and when a person signed in, which only the signed token says."""
ADDRESS_CLAIMS = frozenset({"email", "email_verified"})


class SignInPurpose(StrEnum):
    """What a person goes to a provider for."""

    SIGN_IN = "sign_in"
    LINK = "link"
    CONFIRM = "confirm"
    """To say again who they are."""


class ProviderUnavailable(Exception):
    """The provider cannot be reached, or does not describe itself as the settings say."""


class SignInCancelled(Exception):
    """The person said no at the provider."""


class SignInRejected(Exception):
    """What came back proves nothing, or belongs to no question of this browser."""


@dataclass(frozen=True)
class ProviderAnswer:
    """What a provider says of a person, verified, with what was asked of it."""

    claims: Mapping[str, Any]
    purpose: SignInPurpose
    asked_at: float
    """Seconds since 1970."""
    user_id: int | None
    """Who was signed in when it was asked."""
    next_url: str


class OpenIdConnectAdapter(OpenIDConnectOAuth2Adapter):
    """Allauth's client of a provider; the description must name the issuer of the settings."""

    provider_id: str

    @property
    def openid_config(self) -> dict[str, Any]:
        """Return how the provider describes itself."""
        return _fetch(_description_url(self.get_provider().app.settings["server_url"]))

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:  # noqa: ARG002  allauth's
        """Return the address to come back to."""
        path = reverse("identity_callback", args=[self.provider_id])
        return str(build_absolute_uri(request, path))

    def fetch_userinfo(self, access_token: str) -> dict[str, Any]:
        """Return what the provider says beside the token; nothing where it has no such address."""
        if "userinfo_endpoint" not in self.openid_config:
            return {}
        userinfo: dict[str, Any] = self._fetch_user_info(access_token)
        return userinfo


def build_authorization_url(
    request: HttpRequest, provider: IdentityProvider, *, purpose: SignInPurpose, next_url: str
) -> str:
    """Return the address of the provider where the browser goes now, and expect it back.

    Raises ProviderUnavailable.
    """
    nonce = secrets.token_urlsafe(32)
    again = {"prompt": "login", "max_age": "0"} if purpose is SignInPurpose.CONFIRM else {}
    try:
        _check_description(request, provider)
        client = get_adapter(request).get_provider(request, provider.id)
        response = client.redirect(
            request,
            "login",
            next_url=next_url,
            auth_params={"nonce": nonce} | again,
            nonce=nonce,
            purpose=purpose.value,
            asked_at=time.time(),
            user_id=request.user.pk,
        )
    except FAILURES as failure:
        log.warning("the provider %s cannot be asked: %s", provider.id, type(failure).__name__)
        raise ProviderUnavailable from failure
    return str(response.url)


def read_answer(request: HttpRequest, provider: IdentityProvider) -> ProviderAnswer:
    """Return what the provider answers with this request; once for each question.

    Raises SignInCancelled, and SignInRejected for whatever does not belong to a question of this
    session or does not verify.
    """
    state = statekit.unstash_state(
        request, provider_id=provider.id, state_id=request.GET.get("state", "")
    )
    if state is None or request.GET.get("iss", provider.issuer) != provider.issuer:
        log.warning("an answer of the provider %s was not asked for here", provider.id)
        raise SignInRejected
    if request.GET.get("error") == "access_denied":
        raise SignInCancelled
    try:
        claims = _fetch_claims(request, provider, state)
    except FAILURES as failure:
        reason = failure if isinstance(failure, IdTokenInvalid) else type(failure).__name__
        log.warning("an answer of the provider %s proves nothing: %s", provider.id, reason)
        raise SignInRejected from failure
    return ProviderAnswer(
        claims=claims,
        purpose=SignInPurpose(state["purpose"]),
        asked_at=state["asked_at"],
        user_id=state["user_id"],
        next_url=state.get("next", ""),
    )


def is_fresh(answer: ProviderAnswer) -> bool:
    """Return whether the person signed in at the provider after we had asked, as it tells."""
    auth_time = read_auth_time(answer.claims)
    return auth_time is not None and auth_time >= answer.asked_at - CLOCK_LEEWAY


def read_auth_time(claims: Mapping[str, Any]) -> float | None:
    """Return when the person last signed in at the provider, in seconds since 1970, if it tells.

    A time that is still to come tells nothing: it would count for as long as it lies ahead.
    """
    auth_time = claims.get("auth_time")
    if not isinstance(auth_time, int | float) or auth_time > time.time() + CLOCK_LEEWAY:
        return None
    return float(auth_time)


def check_provider(provider: IdentityProvider) -> None:
    """Raise ProviderUnavailable if the provider does not answer as the settings say, asked anew."""
    try:
        _fetch(_description_url(provider.issuer), again=True)
        _check_description(HttpRequest(), provider)
    except FAILURES as failure:
        raise ProviderUnavailable from failure


def _description_url(issuer: str) -> str:
    return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


def _fetch_claims(
    request: HttpRequest, provider: IdentityProvider, state: Mapping[str, Any]
) -> dict[str, Any]:
    """Exchange the code, verify the id token, and add what the provider says beside it.

    What the token says counts before what is beside it; an address and whether it is verified come
    from one of both together.
    """
    _check_description(request, provider)
    adapter = OpenIdConnectAdapter(request, provider.id)
    client = adapter.get_client(request, adapter.get_provider().app)
    tokens = client.get_access_token(
        request.GET["code"], pkce_code_verifier=state["pkce_code_verifier"]
    )
    claims = _verify(tokens["id_token"], adapter, provider, state["nonce"])
    userinfo = adapter.fetch_userinfo(tokens["access_token"])
    if userinfo:
        check_same_subject(claims, userinfo)
    ignored = SIGN_IN_CLAIMS | (ADDRESS_CLAIMS if "email" in claims else frozenset())
    return {**{name: userinfo[name] for name in userinfo.keys() - ignored}, **claims}


def _verify(
    token: str, adapter: OpenIdConnectAdapter, provider: IdentityProvider, nonce: str
) -> dict[str, Any]:
    expected = {"issuer": provider.issuer, "client_id": provider.client_id, "nonce": nonce}
    keys_url = adapter.openid_config["jwks_uri"]
    try:
        return verify_id_token(token, keys=_fetch(keys_url), **expected)
    except SigningKeyUnknown:
        return verify_id_token(token, keys=_fetch(keys_url, again=True), **expected)


def _check_description(request: HttpRequest, provider: IdentityProvider) -> None:
    """Raise OAuth2Error if another issuer answers, or the browser would be sent over plain http."""
    description = OpenIdConnectAdapter(request, provider.id).openid_config
    scheme = urlsplit(description["authorization_endpoint"]).scheme
    if description["issuer"] != provider.issuer or scheme != urlsplit(provider.issuer).scheme:
        raise OAuth2Error("the provider describes itself as another")


def _fetch(url: str, *, again: bool = False) -> dict[str, Any]:
    """Return a JSON object of a provider, not asked for at each sign-in anew; nor is a failure."""
    key, failure_key = f"identity_provider:{url}", f"identity_provider_failure:{url}"
    stored = None if again else cache.get(key)
    if stored is not None:
        return dict(stored)
    if not again and cache.get(failure_key):
        raise RequestException("it failed a moment ago")
    try:
        with get_adapter().get_requests_session() as session:
            response = session.get(url)
            response.raise_for_status()
            document = dict(response.json())
    except RequestException:
        cache.set(failure_key, 1, FAILURE_SECONDS)
        raise
    cache.set(key, document, CACHE_SECONDS)
    cache.delete(failure_key)
    return document
