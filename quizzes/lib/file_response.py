"""A file as a response: complete, or the range that was requested."""

import os
import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
)
from django.http.response import StreamingHttpResponse
from django.utils.http import parse_etags

from quizzes.lib.filetypes import KINDS

CHUNK: Final = 256 * 1024
# An SVG opened by itself is a document: it may have styles, and run nothing.
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


class RangeNotSatisfiable(ValueError):
    """The requested range lies beyond the end."""


def parse_range(header: str, size: int) -> tuple[int, int] | None:
    """Return the first byte of a Range header and the one after the last; None for everything.

    Several ranges at once, or an invalid header, are answered with everything, as HTTP allows.
    """
    match = _RANGE.fullmatch(header.replace(" ", ""))
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        start, end = max(size - int(match[2]), 0), size
    else:
        start, end = int(match[1]), min(int(match[2]) + 1 if match[2] else size, size)
        if match[2] and int(match[2]) < start:
            return None
    if start >= size or start >= end:
        raise RangeNotSatisfiable
    return start, end


def is_unchanged(if_none_match: str, etag: str) -> bool:
    """Return whether a client has what this ETag is of: the comparison is weak, as for reading."""
    etags = [listed.removeprefix("W/") for listed in parse_etags(if_none_match)]
    return etag in etags or "*" in etags


def ranged_file_response(
    request: HttpRequest, file: BinaryIO, name: str, media_type: str, digest: str = ""
) -> HttpResponseBase:
    """Return a response with an open file under this name; who sends it closes it.

    `digest` is that of its bytes, for its ETag: a client that has the file is sent none of it.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    etag = f'"{digest}"' if digest else ""
    if etag and is_unchanged(request.headers.get("If-None-Match", ""), etag):
        file.close()
        return _add_headers(HttpResponseNotModified(), etag)
    is_whole = request.headers.get("If-Range", etag) != etag
    header = "" if is_whole else request.headers.get("Range", "")
    try:
        part = parse_range(header, size)
    except RangeNotSatisfiable:
        file.close()
        response: HttpResponseBase = HttpResponse(status=416)
        response["Content-Range"] = f"bytes */{size}"
        return response
    start, end = part or (0, size)
    response = _body(request, file, start, end, is_complete=part is None)
    if part is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    response["Content-Length"] = str(end - start)
    response["Content-Type"] = media_type
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Accept-Ranges"] = "bytes"
    if media_type == KINDS["svg"].media_type:
        response["Content-Security-Policy"] = SVG_POLICY
    return _add_headers(response, etag)


def _add_headers(response: HttpResponseBase, etag: str) -> HttpResponseBase:
    """Add what holds for a file, complete or not, sent or not."""
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Cache-Control"] = "no-store, private"
    if etag:
        response["ETag"] = etag
    return response


def _body(
    request: HttpRequest, file: BinaryIO, start: int, end: int, *, is_complete: bool
) -> HttpResponseBase:
    if request.method == "HEAD":
        file.close()
        return HttpResponse()
    if is_complete:
        return FileResponse(file)
    return StreamingHttpResponse(_FileRange(file, start, end))


class _FileRange:
    """A range of a file, in chunks; the file is closed at the end, also when the client leaves."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._file, self._left = file, end - start
        file.seek(start)

    def __iter__(self) -> Iterator[bytes]:
        while self._left > 0 and (chunk := self._file.read(min(CHUNK, self._left))):
            self._left -= len(chunk)
            yield chunk

    def close(self) -> None:
        """Close the file; Django calls this when the response ends."""
        self._file.close()
