"""Programs that speak plain HTTP are refused: redirected, they would go on sending their token."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from config.error_handlers import API, request_language
from quizzes.api import problems

DOCUMENTATION = "/api/v1/docs"
"""A page for people, who are redirected."""

Handler = Callable[[HttpRequest], HttpResponse]


def refuse_plain_http(get_response: Handler) -> Handler:
    """Answer 403 to each request of a program that does not come by HTTPS, where that is asked."""

    def middleware(request: HttpRequest) -> HttpResponse:
        is_program = request.path.startswith(API) and request.path != DOCUMENTATION
        if not is_program or not settings.SECURE_SSL_REDIRECT or request.is_secure():
            return get_response(request)
        with request_language(request):
            detail = str(_("Send this by HTTPS. What was sent without can be read on its way."))
            document = problems.problem_document(403, "https_required", detail)
            return problems.problem_response(document)

    return middleware
