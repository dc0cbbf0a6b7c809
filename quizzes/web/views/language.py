"""The language of the interface: kept on the device, and with the person for their mail."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

YEAR = 365 * 24 * 3600


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Switch, and go back to where the person was."""
    return remember_language(request, request.POST.get("lang", ""), redirect(next_url(request)))


def next_url(request: HttpRequest) -> str:
    """Return the page of ours that a form names as the next one; home if it names none."""
    following = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        following, {request.get_host()}, require_https=request.is_secure()
    )
    return following if safe and following.startswith("/") else "/"


def activate_language(request: HttpRequest, chosen: str) -> str:
    """Use a language that we have until this request ends; return it, or ""."""
    if chosen not in dict(settings.LANGUAGES):
        return ""
    translation.activate(chosen)
    request.LANGUAGE_CODE = chosen
    return chosen


def remember_language(request: HttpRequest, chosen: str, response: HttpResponse) -> HttpResponse:
    """Save the chosen language, if it is one of ours."""
    if chosen not in dict(settings.LANGUAGES):
        return response
    user = request.user
    if user.is_authenticated and user.language != chosen:
        user.language = chosen
        user.save(update_fields=["language"])
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=YEAR,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return response
