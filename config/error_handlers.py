"""While the database is away: a 503 that says when to come back, in every interface."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from quizzes.api import problems
from quizzes.web import decorators
from quizzes.web.views import errors

CODE = "unavailable"
RETRY_AFTER = problems.RETRY_AFTER
"""Seconds."""


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer for what no view foresaw: 503 if the database failed us, else 500.

    This is handler500 and no middleware: Django turns an error into an answer before anything
    further out can see it, and the first to miss the database is the session's middleware.
    """
    if not isinstance(sys.exc_info()[1], (OperationalError, InterfaceError)):
        return errors.server_error(request)
    # Nobody could look up the person's language; what the browser says must do.
    with translation.override(translation.get_language_from_request(request)):
        response = _answer(request)
        response.headers.setdefault("Content-Language", translation.get_language() or "")
    response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store, private"
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    """Answer as each interface does: a problem document, JSON to our scripts, a page to people."""
    if request.path.startswith(errors.API):
        return problems.problem_response(problems.problem_document(503, CODE))
    if request.content_type == errors.JSON:
        return decorators.json_error(CODE, 503)
    page = errors.server_error(request)
    page.status_code = 503
    return page
