"""Who is signed in says again who they are, before what matters: a device may stand open.

`reauthentication_required` is the one decorator for it. What was being sent is sent afterwards.
Pages with right answers ask, too, after a longer time: `ReauthenticationPurpose.KEYS`.
"""

import time
from collections.abc import Callable, Mapping
from enum import Enum
from functools import wraps
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlencode

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.core.exceptions import ReauthenticationRequired
from allauth.core.internal.httpkit import serialize_request
from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.identities import list_identities
from accounts.models import User

View = TypeVar("View", bound=Callable[..., Any])

DESCRIPTIONS = {
    "reauthenticate": lambda: _("Use your password"),
    "mfa_reauthenticate": lambda: _("Use a code"),
    "mfa_reauthenticate:webauthn": lambda: _("Use the passkey"),
}
"""What leads to another way, by allauth's names of them."""


GRACE: Final = 60 * 60
"""Seconds for which a form may be sent whose page was opened in time: files in it are not kept."""


class ReauthenticationPurpose(Enum):
    """What a person says again who they are for: each has its own time until they are asked."""

    CHANGES = "changes"
    KEYS = "keys"

    def count_seconds(self, method: str | None) -> int:
        """Return for how long one is not asked again, for a request by this method."""
        if self is ReauthenticationPurpose.CHANGES:
            return int(app_settings.REAUTHENTICATION_TIMEOUT)
        grace = 0 if method in {"GET", "HEAD"} else GRACE
        return int(settings.KEY_REAUTHENTICATION_SECONDS) + grace


def is_recent(
    request: HttpRequest, purpose: ReauthenticationPurpose = ReauthenticationPurpose.CHANGES
) -> bool:
    """Return whether this person has said who they are, by signing in or again, not long ago."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    latest = max((_find_time(record) for record in records), default=0.0)
    return time.time() - latest < purpose.count_seconds(request.method)


def _find_time(record: Mapping[str, Any]) -> float:
    """Return when a person proved who they are, in seconds since 1970.

    Where an identity provider signed them in, that is when it last asked them, as far as it
    tells: it may have known them from a sign-in of the morning.
    """
    if record["method"] == "socialaccount":
        return float(record.get("authenticated_at", 0))
    return float(record["at"])


def choose_methods(user: User, methods: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the ways that count, described by us: with a second factor, nothing else alone."""
    second_factors = [method for method in methods if method["id"] != "reauthenticate"]
    if second_factors:
        return [_describe(method) for method in second_factors]
    return [*(_describe(method) for method in methods), *list_provider_methods(user)]


def _describe(method: Mapping[str, Any]) -> dict[str, Any]:
    return {**method, "description": DESCRIPTIONS[method["id"]]()}


def list_provider_methods(user: User) -> list[dict[str, Any]]:
    """Return the linked providers that the site still has, as ways to say again who one is."""
    linked = set(list_identities(user).values_list("provider", flat=True))
    return [
        {
            "id": f"provider:{provider.id}",
            "url": reverse("confirm_by_provider", args=[provider.id]),
            "description": _("Sign in again at %(provider)s") % {"provider": provider.name},
        }
        for provider in settings.IDENTITY_PROVIDERS
        if provider.id in linked
    ]


def check_recent(
    request: HttpRequest, purpose: ReauthenticationPurpose = ReauthenticationPurpose.CHANGES
) -> None:
    """Raise ReauthenticationRequired if this person has to say again who they are.

    Who has no password, no second factor and no provider signs in with codes by mail, and is not
    asked.
    """
    if not is_recent(request, purpose) and get_adapter().get_reauthentication_methods(request.user):
        raise ReauthenticationRequired


def reauthentication_required(
    *methods: str, purpose: ReauthenticationPurpose = ReauthenticationPurpose.CHANGES
) -> Callable[[View], View]:
    """Return a decorator for views whose requests by these methods need it; without any, by all.

    It also decorates a function that a view calls with its request: afterwards the view is called
    again. The signed-out are left to other decorators.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if request.user.is_authenticated and (not methods or request.method in methods):
                try:
                    check_recent(request, purpose)
                except ReauthenticationRequired:
                    return ask_again(request)
            return view(request, *args, **kwargs)

        return cast("View", wrapped)

    return decorate


def _holds_password(request: HttpRequest) -> bool:
    """Return whether a form has a password in it: no session may store one that can be read."""
    return any("password" in name for name in request.POST)


def ask_again(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect to the page that asks; allauth sends the stored form once the person has answered.

    allauth finds a stored form by its path alone: it would lose one that was sent with a query.
    A form with a password is not stored: its page opens again, to be filled in anew.
    """
    is_form = request.method == "POST" and not _holds_password(request)
    if is_form:
        request.session[STATE_SESSION_KEY] = {"request": serialize_request(request)}
    else:  # the page that asks says of a stored form that it is not lost
        request.session.pop(STATE_SESSION_KEY, None)
    path = request.path if is_form else request.get_full_path()
    page = get_adapter().get_reauthentication_methods(request.user)[0]["url"]
    return HttpResponseRedirect(f"{page}?{urlencode({'next': path})}")
