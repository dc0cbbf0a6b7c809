"""What each request learns about its person: who they are, their language, their clock."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from accounts import zones
from accounts.access import may_open_admin, must_add_second_factor
from accounts.guests import find_account
from accounts.models import User
from accounts.sessions import SessionStore

Handler = Callable[[HttpRequest], HttpResponse]


def _signed_in(request: HttpRequest) -> User | AnonymousUser:
    """Return the person who came with the session; in any doubt, let Django decide."""
    session = request.session
    key = session.get(SESSION_KEY)  # reading loads the session, its owner with it
    owner = session.owner if isinstance(session, SessionStore) else None
    if (
        owner is not None
        and owner.is_active
        and key == str(owner.pk)
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), owner.get_session_auth_hash())
    ):
        return owner
    return get_user(request)


PAGES_OF_ATTEMPTS = ("/attempts/", "/quizzes/")
"""Pages that write nothing into the session of who is signed in: it may be remembered."""


class SignedInMiddleware(AuthenticationMiddleware):
    """Django's own, but the person is not asked for a second time."""

    def process_request(self, request: HttpRequest) -> None:
        """Set `request.user`, lazily."""
        super().process_request(request)
        if isinstance(request.session, SessionStore):
            request.session.may_be_remembered = request.path_info.startswith(PAGES_OF_ATTEMPTS)
        request.user = SimpleLazyObject(lambda: _signed_in(request))  # type: ignore[assignment]  # lazy, as Django's own


def _language(request: HttpRequest) -> str:
    """Prefer the device's choice, then the person's, then the browser's."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if chosen in dict(settings.LANGUAGES):
        return chosen
    user = request.user
    if user.is_authenticated and user.language:
        return user.language
    return translation.get_language_from_request(request)


def _zone(request: HttpRequest) -> ZoneInfo:
    """Prefer the person's zone; of strangers and guests, the browser's."""
    user = request.user
    name = user.time_zone if user.is_authenticated else zones.browser_zone(request)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(settings.TIME_ZONE)


def _unwrap_user(request: HttpRequest) -> None:
    """Put the person themselves where the lazy one was: each look at that costs a call."""
    lazy = request.user
    if isinstance(lazy, SimpleLazyObject):
        bool(lazy.is_authenticated)
        request.user = vars(lazy)["_wrapped"]


# Whether the process lives must not depend on whether the person can be looked up; and browsers ask
# for the service worker beside every page.
NOBODYS = frozenset({"/healthz", "/readyz", "/sw.js"})


def preferences(get_response: Handler) -> Handler:
    """Speak the person's language, tell their time, and keep their pages out of every cache."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info in NOBODYS:
            return get_response(request)
        language = _language(request)
        zone = _zone(request)
        _unwrap_user(request)
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = language
            response = get_response(request)
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        response.headers.setdefault("Cache-Control", "no-store, private")
        return response

    return middleware


ADMIN_POLICY = {
    "script-src": ["'unsafe-eval'"],
    "style-src": ["'unsafe-inline'"],
    "img-src": ["data:"],
}


def admin_policy(get_response: Handler) -> Handler:
    """Widen the content policy for the admin alone: its theme evaluates and styles in place."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path_info.startswith("/admin/"):
            vars(response)["_csp_update"] = ADMIN_POLICY  # read by CSPMiddleware, further out
        return response

    return middleware


def _zone_offer(request: HttpRequest) -> str:
    """Return the browser's zone where the person's times are others; "" where they said no."""
    browser, user = zones.browser_zone(request), request.user
    if not browser or not user.is_authenticated or request.COOKIES.get(zones.DECLINED) == browser:
        return ""
    same = zones.show_same_times(browser, user.time_zone, now=timezone.now())
    return "" if same else browser


def template_context(request: HttpRequest) -> dict[str, Any]:
    """Return what every template may ask: account, zones, role, CSRF cookie, providers."""
    return {
        "account": SimpleLazyObject(lambda: find_account(request)),
        # Its key: the tag of Django names a zone of fixed offset "-05", which no browser knows.
        "current_time_zone": str(timezone.get_current_timezone()),
        "zone_offer": SimpleLazyObject(lambda: _zone_offer(request)),
        "must_add_second_factor": SimpleLazyObject(lambda: must_add_second_factor(request.user)),
        "may_open_admin": SimpleLazyObject(lambda: may_open_admin(request.user)),
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "identity_providers": settings.IDENTITY_PROVIDERS,
    }
