"""The control: the site with one fault, which the tests must see.

Its save says "saved" first, and commits when some more have come.
"""

import os
import threading
from collections import deque
from typing import Any
from uuid import UUID

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

# These need Django to be set up.
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.http import require_POST

from quizzes.attempts import responses
from quizzes.lib import clock
from quizzes.web.decorators import current_user, json_view
from quizzes.web.views.responses import parse_saves
from tests.faults.sites import LEARNERS

BEHIND = 2 * LEARNERS
"""More than can be on their way to the learners, so that some of these were surely heard."""

_waiting: deque[dict[str, Any]] = deque()
_one_at_a_time = threading.Lock()


@require_POST
@json_view
def save(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Acknowledge this save, and commit the oldest of those that wait."""
    saves = parse_saves(request.body)
    statuses = [{"slot": save.slot, "status": "accepted"} for save in saves]
    this = {"attempt": attempt, "learner": current_user(request), "inputs": saves, "language": "en"}
    with _one_at_a_time:
        _waiting.append(this)
        if len(_waiting) > BEHIND:
            responses.save_responses(**_waiting.popleft(), now=clock.now())
    return JsonResponse({"saves": statuses})


urlpatterns = [path("attempts/<uuid:attempt>/save", save), path("", include("config.urls"))]
settings.ROOT_URLCONF = __name__
