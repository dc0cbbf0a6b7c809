"""Whether the session goes on: what a page with a form asks while somebody writes, and before."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from quizzes.web.decorators import current_user, json_view


@require_safe
@json_view
def session_state(request: HttpRequest) -> HttpResponse:
    """Answer who is signed in; 401 `signed_out`, 403 `other_person` otherwise.

    It is a use of the session as any request is: who writes a long text is not idle.
    """
    return JsonResponse({"person": str(current_user(request).uuid)})
