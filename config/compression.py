"""Compresses what is text on its way out, in every set-up.

Django's middleware adds up to 100 random bytes to each answer, so that the size of a page does not
tell what is in it (BREACH); the static files of a production site are compressed already.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED_TYPES = frozenset(
    {
        "application/javascript",
        "application/json",
        "application/problem+json",
        "application/xml",
        "image/svg+xml",
    }
)


class CompressionMiddleware(GZipMiddleware):
    """Django's, for text only: pictures gain nothing, and a part of a file must stay that part."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer compressed if that fits its type and the browser takes it."""
        return super().process_response(request, response) if _is_text(response) else response


def _is_text(response: HttpResponseBase) -> bool:
    if response.has_header("Accept-Ranges") or response.has_header("Content-Range"):
        return False
    content_type = response.get("Content-Type", "").partition(";")[0].strip().lower()
    if content_type.endswith("json") and response.has_header("ETag"):
        return False  # an ETag must stay strong: If-Match compares strong ones only
    return content_type.startswith("text/") or content_type in COMPRESSED_TYPES
