"""What a person meets when something is wrong: pages with a way on; programs get JSON."""

from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render

from quizzes.web.decorators import SIGNED_OUT, json_error

API = "/api/"
JSON = "application/json"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for a request that is invalid or too large."""
    status = 413 if isinstance(exception, RequestDataTooBig) else 400
    return _answer(request, "400.html", status)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for what is not allowed."""
    return _answer(request, "403.html", 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for what does not exist, and for what is not theirs."""
    return _answer(request, "404.html", 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for an internal error, without session or database, which may have failed."""
    return _answer(request, "500.html", 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a missing or old CSRF token.

    Who lost all cookies is signed out, and a script is told so; who lost the token alone gets
    another one with the refusal, and may try again.
    """
    if request.content_type == JSON and not request.path.startswith(API):
        if not request.user.is_authenticated:
            return json_error(SIGNED_OUT, 403)
        get_token(request)
        return json_error("csrf", 403)
    return _answer(request, "403.html", 403)


def _answer(request: HttpRequest, template: str, status: int) -> HttpResponse:
    if request.path.startswith(API):
        return _problem(status)
    return render(request, template, status=status)


def _problem(status: int) -> JsonResponse:
    """Return a problem document, as the API does."""
    title = HTTPStatus(status).phrase
    code = title.lower().replace(" ", "_")
    body = {"type": "about:blank", "title": title, "status": status, "code": code}
    return JsonResponse(body, status=status, content_type="application/problem+json")
