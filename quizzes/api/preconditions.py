"""Preconditions (RFC 9110): a change to what somebody else changed meanwhile is refused with 412.

An ETag has two parts. The first is of the version of the resource: If-Match compares it, while the
row is locked, so that it holds for every language. The second is of the bytes that are sent:
If-None-Match compares both. The answer of a change carries the ETag of what is there now, so that a
program can change it again; where that answer is no representation of it, without the second part.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.http import HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from quizzes.api.idempotency import WriteResult
from quizzes.api.problems import PreconditionFailed
from quizzes.lib.file_response import is_unchanged

ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    description="Of this version, for If-Match and If-None-Match.",
    response=[200, 304],
)
WRITTEN_ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    description="Of the version that is there now, for the If-Match of the next change. Of an "
    "attempt that is open already where the change came with If-Match.",
    response=[200, 201, 202],
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="An ETag that you have: while it is still so, the answer is 304 without a body.",
)
NOT_MODIFIED: dict[int, OpenApiResponse] = {
    304: OpenApiResponse(description="As you have it: its ETag is in `If-None-Match`")
}
CONDITIONAL_GET = [IF_NONE_MATCH, ETAG]


def describe_if_match(resource: str) -> OpenApiParameter:
    """Return the parameter of an operation that changes a resource, named by its GET operation."""
    return OpenApiParameter(
        "If-Match",
        str,
        OpenApiParameter.HEADER,
        description=f"The `ETag` of {resource}: changed since, the answer is 412 and nothing is "
        "written. Without it nothing is compared.",
    )


def hash_version(*parts: object) -> str:
    """Return the first part of an ETag: what a version consists of stays with us."""
    return sha256(repr(parts).encode()).hexdigest()[:16]


def tagged_response(request: Request, payload: Any, version: str) -> HttpResponse:
    """Return a representation with its ETag, or 304 if the client has it."""
    body = JSONRenderer().render(payload)
    etag = _build_etag(version, body)
    headers = {"ETag": etag}
    if is_unchanged(request.headers.get("If-None-Match", ""), etag):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(body, content_type="application/json", headers=headers)


def build_etag(version: str, payload: Any = None) -> str:
    """Return the ETag of a version, and of its representation if that is what is sent."""
    return _build_etag(version, None if payload is None else JSONRenderer().render(payload))


def tagged_write(
    payload: Mapping[str, Any], version: str, *, status: int = 200, location: str = ""
) -> WriteResult:
    """Return the answer of a write: what is there now, with its ETag."""
    return WriteResult(status, payload, location, build_etag(version, payload))


def _build_etag(version: str, body: bytes | None) -> str:
    representation = "" if body is None else f"-{sha256(body).hexdigest()[:16]}"
    return f'"{version}{representation}"'


@contextmanager
def require_unchanged(request: Request, lock_version: Callable[[], str]) -> Iterator[None]:
    """Run the block if the version is that of If-Match, or there is none: else PreconditionFailed.

    `lock_version` locks the row and returns its version; the block is in the same transaction.
    """
    if_match = request.headers.get("If-Match")
    if if_match is None:
        yield
        return
    with transaction.atomic():
        version = lock_version()
        # The comparison is strong: a weak ETag (`W/`) is that of no version.
        etags = parse_etags(if_match)
        versions = {etag.partition("-")[0].removesuffix('"') for etag in etags}
        if not versions & {"*", f'"{version}'}:
            raise PreconditionFailed
        yield
