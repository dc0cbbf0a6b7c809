"""The site's error handlers: each interface answers an error in its own form and language.

A program gets a problem document, a script of our pages JSON with a code, a person a page with a
way on. While the database is away: a 503 that says when to come back.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from quizzes.api import problems
from quizzes.api.problems import problem_document, problem_response
from quizzes.lib.file_store.contract import FileStoreUnavailable
from quizzes.web import decorators
from quizzes.web.views import errors

CODE = "unavailable"
RETRY_AFTER = problems.RETRY_AFTER
"""Seconds."""
API = "/api/"
UNAVAILABLE = (OperationalError, InterfaceError, FileStoreUnavailable)
"""What is wrong somewhere else, and may be right in a moment."""


@contextmanager
def request_language(request: HttpRequest) -> Iterator[str]:
    """Speak the language that was chosen for the request; before that, what the browser says.

    Whatever fails in a middleware before `accounts.middleware.preferences`, as a host that is
    unknown, fails while nobody has chosen a language.
    """
    language = getattr(request, "LANGUAGE_CODE", None) or translation.get_language_from_request(
        request
    )
    with translation.override(language):
        yield language


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that is invalid or too large."""
    is_too_large = isinstance(exception, RequestDataTooBig)
    problem = (413, "too_large") if is_too_large else (400, "suspicious")
    with request_language(request) as language:
        if _is_program(request):
            response = problem_response(problem_document(*problem))
        else:
            response = errors.bad_request(request, exception)
        response.headers.setdefault("Content-Language", language)
        return response


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what is not allowed."""
    if _is_program(request):
        return problem_response(problem_document(403, "permission_denied"))
    return errors.forbidden(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what does not exist, and what is not theirs."""
    if _is_program(request):
        return problem_response(problem_document(404, "not_found"))
    return errors.not_found(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a request of a browser whose CSRF token is missing or old."""
    if _is_program(request):
        return problem_response(problem_document(403, "permission_denied"))
    return errors.csrf_failure(request, reason)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer for what no view foresaw: 503 if the database or the files failed us, else 500.

    This is handler500 and no middleware: Django turns an error into an answer before anything
    further out can see it, and the first to miss the database is the session's middleware.
    """
    # Where nobody could look up the person's language, what the browser says must do.
    with request_language(request) as language:
        if not isinstance(sys.exc_info()[1], UNAVAILABLE):
            response = _answer_server_error(request, 500, "server_error")
        else:
            response = _answer_server_error(request, 503, CODE)
            response.headers["Retry-After"] = str(RETRY_AFTER)
            response.headers["Cache-Control"] = "no-store, private"
        response.headers.setdefault("Content-Language", language)
        return response


def _answer_server_error(request: HttpRequest, status: int, code: str) -> HttpResponse:
    if _is_program(request):
        return problem_response(problem_document(status, code))
    if status == HTTPStatus.SERVICE_UNAVAILABLE and request.content_type == errors.JSON:
        return decorators.json_error(code, status)
    page = errors.server_error(request)
    page.status_code = status
    return page


def _is_program(request: HttpRequest) -> bool:
    return request.path.startswith(API)
