"""What a person meets when something is wrong: pages with a way on; our scripts get JSON.

`config/error_handlers.py` calls them; a program is answered there.
"""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render

from quizzes.web.decorators import SIGNED_OUT, json_error

JSON = "application/json"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for a request that is invalid or too large."""
    status = 413 if isinstance(exception, RequestDataTooBig) else 400
    return render(request, "400.html", status=status)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for what is not allowed."""
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for what does not exist, and for what is not theirs."""
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for an internal error, without session or database, which may have failed."""
    return render(request, "500.html", status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a missing or old CSRF token.

    Who lost all cookies is signed out, and a script is told so; who lost the token alone gets
    another one with the refusal, and may try again.
    """
    if request.content_type == JSON:
        if not request.user.is_authenticated:
            return json_error(SIGNED_OUT, 403)
        get_token(request)
        return json_error("csrf", 403)
    return render(request, "403.html", status=403)
