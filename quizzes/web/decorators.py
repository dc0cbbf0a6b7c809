"""Decorators of views: who may see a page, and which answer an error of a service becomes."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlsplit
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.guests import act_as_guest, find_guest
from accounts.models import User
from quizzes.attempts.models import Attempt
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Corrupt, Invalid, NotFound, Refused

Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]

log = logging.getLogger(__name__)

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SIGNED_OUT = "signed_out"
OTHER_PERSON = "other_person"
PERSON_HEADER = "X-Person"
"""Whose page a script belongs to: somebody else may have signed in since it came."""


def current_user(request: HttpRequest) -> User:
    """Return who is signed in; the decorators below let nobody else through."""
    user = request.user
    if not user.is_authenticated:
        raise Http404
    return user


def not_found_page(view: View[Arguments]) -> View[Arguments]:
    """Answer 404 where a service finds nothing; also to who is signed out."""

    @wraps(view)
    def wrapped(
        request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NotFound as missing:
            raise Http404 from missing

    return cast("View[Arguments]", wrapped)


def login_required_page(view: View[Arguments]) -> View[Arguments]:
    """Show a page to who is signed in; others sign in first and come back.

    What is not there and what is not theirs look alike: 404. What cannot be read: a plain sentence.
    """
    page = not_found_page(view)

    @wraps(view)
    def wrapped(
        request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponseBase:
        try:
            return page(request, *args, **kwargs)
        except Corrupt:
            log.exception("a page of an attempt cannot be shown")
            return render_corrupt_attempt(request)

    return cast("View[Arguments]", _login_required(wrapped))


def _login_required(view: View[Arguments]) -> View[Arguments]:
    """Redirect who is signed out to the sign-in page, and back; from a form, to its page."""

    @wraps(view)
    def wrapped(
        request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method in SAFE_METHODS:
            return redirect_to_login(request.get_full_path())
        return redirect_to_login(_page_with_form(request))

    return cast("View[Arguments]", wrapped)


def _page_with_form(request: HttpRequest) -> str:
    page = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure()):
        return reverse("home")
    return urlsplit(page).path


def render_corrupt_attempt(request: HttpRequest) -> HttpResponse:
    """Return the page that says that an attempt cannot be shown."""
    return render(request, "quizzes/pages/corrupt.html", status=409)


def guests_allowed(view: View[Arguments]) -> View[Arguments]:
    """Let the guest of a session pass as who is signed in, in this view alone (ADR 59).

    All other views see a stranger. Who signs in meanwhile goes on with an attempt of the guest.
    """

    @wraps(view)
    def wrapped(
        request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponseBase:
        guest = find_guest(request.session, now=clock.now())
        attempt = cast("UUID | None", kwargs.get("attempt"))
        if guest is not None and (
            not request.user.is_authenticated
            or (attempt and Attempt.objects.filter(uuid=attempt, learner=guest).exists())
        ):
            act_as_guest(request, guest)
        return view(request, *args, **kwargs)

    return cast("View[Arguments]", wrapped)


def json_view(view: View[Arguments]) -> View[Arguments]:
    """Answer the scripts of our own pages in JSON, never by a redirect."""

    @wraps(view)
    def wrapped(
        request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return json_error(SIGNED_OUT, 401)
        if request.headers.get(PERSON_HEADER, str(request.user.uuid)) != str(request.user.uuid):
            return json_error(OTHER_PERSON, 403)
        try:
            return view(request, *args, **kwargs)
        except NotFound as missing:
            return json_error(missing.code, 404)
        except Invalid as invalid:
            return json_error(invalid.code, 400, **invalid.detail)
        except (Refused, Conflict) as refused:
            return json_error(refused.code, 409)

    return cast("View[Arguments]", wrapped)


def json_error(code: str, status: int, **detail: Any) -> JsonResponse:
    """Return an error as JSON; `code` is stable."""
    return JsonResponse({"code": code, **detail}, status=status)
