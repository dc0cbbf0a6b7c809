"""The id by which this browser is one device of a learner (ADR 60): in a signed cookie."""

from typing import Final
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE: Final = f"{settings.COOKIE_PREFIX}taking_device"
COOKIE_AGE: Final = 365 * 24 * 60 * 60
"""Seconds."""
SALT: Final = "quizzes.taking_device"


def read_device(request: HttpRequest) -> UUID | None:
    """Return the id of this browser; None if it has none yet, or the cookie is forged."""
    try:
        return UUID(signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_AGE))
    except (signing.BadSignature, ValueError, TypeError, AttributeError):
        return None


def remember_device(request: HttpRequest, response: HttpResponse, device: UUID) -> HttpResponse:
    """Keep the id of this browser, for all its tabs."""
    response.set_cookie(
        COOKIE,
        signing.dumps(str(device), salt=SALT),
        max_age=COOKIE_AGE,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response
