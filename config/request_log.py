"""An entry of the log for each request, and an id that joins it with what is logged meanwhile.

Where requests are written, the id goes back in `X-Request-ID`; a proxy before the site may choose
it. An entry has the path
without what is secret in it (`log_format.mask_path`), no query, no body and no cookie.
"""

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, reset_contextvars

from config.log_format import mask_path

log = logging.getLogger(__name__)

HEADER = "X-Request-ID"
ID = re.compile(r"[A-Za-z0-9_-]{8,64}")

Handler = Callable[[HttpRequest], HttpResponse]


def request_log(get_response: Handler) -> Handler:
    """Return the middleware; it writes entries where `OCHENTA_ACCESS_LOG` is on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request_id = _read_id(request)
        began = time.perf_counter()
        # `bound_contextvars` would go through all variables of the context first.
        tokens = bind_contextvars(request_id=request_id)
        try:
            response = get_response(request)
            if settings.ACCESS_LOG and not request.path.startswith(settings.STATIC_URL):
                response[HEADER] = request_id
                _write(request, response, time.perf_counter() - began)
        finally:
            reset_contextvars(**tokens)
        return response

    return middleware


def _read_id(request: HttpRequest) -> str:
    """Return the id that a trusted proxy gave, or a new one."""
    proposed = request.headers.get(HEADER, "") if settings.PROXIES else ""
    return proposed if ID.fullmatch(proposed) else uuid.uuid4().hex


def _write(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    path, milliseconds = mask_path(request), round(seconds * 1000, 1)
    log.info(
        "%s %s: %s in %s ms",
        request.method,
        path,
        response.status_code,
        milliseconds,
        extra={
            "request": request,
            "method": request.method,
            "path": path,
            "status": response.status_code,
            "duration_ms": milliseconds,
        },
    )
