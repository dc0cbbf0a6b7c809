"""Where a request comes from, as the sign-in limits see it: behind trusted proxies, theirs."""

from collections.abc import Callable
from functools import partial

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse

from quizzes.audit.origin import Origin, use_origin


def audit_origin(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Return the middleware that says whose request it is, to whoever records what was done."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with use_origin(partial(_read_origin, request)):
            return get_response(request)

    return middleware


def _read_origin(request: HttpRequest) -> Origin:
    """Return the origin by now: who signs in is known only then, and so is whose token it is."""
    user = request.user
    return Origin(
        person=user if user.is_authenticated else None,
        token=getattr(getattr(request, "auth", None), "token_key", ""),
        address=read_address(request),
        user_agent=request.headers.get("User-Agent", ""),
        host=request.get_host(),
    )


def read_address(request: HttpRequest) -> str:
    """Return the sender's address; "" where the proxies before us do not tell it."""
    try:
        return str(get_adapter().get_client_ip(request))
    except (ImproperlyConfigured, PermissionDenied):
        return ""
