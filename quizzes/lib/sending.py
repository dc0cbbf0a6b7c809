"""A kept file as an answer, whole or the part that was asked for, straight from the disk."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.http.response import StreamingHttpResponse

from quizzes.lib.sniffing import KINDS

CHUNK: Final = 256 * 1024
# A drawing opened by itself is a document: it may look as it wants, and do nothing.
DRAWING_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


class Unsatisfiable(ValueError):
    """The part that was asked for lies beyond the end."""


def part_of(header: str, size: int) -> tuple[int, int] | None:
    """Read a Range header: the first byte and the one after the last, or None for everything.

    Several parts at once, or what cannot be read, is answered with everything, as HTTP allows.
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
        raise Unsatisfiable
    return start, end


def send(request: HttpRequest, path: Path, name: str, media_type: str) -> HttpResponseBase:
    """Answer with a file under a name of ours; no such file: FileNotFoundError."""
    size = path.stat().st_size
    header = "" if "If-Range" in request.headers else request.headers.get("Range", "")
    try:
        part = part_of(header, size)
    except Unsatisfiable:
        response: HttpResponseBase = HttpResponse(status=416)
        response["Content-Range"] = f"bytes */{size}"
        return response
    start, end = part or (0, size)
    response = _body(request, path, start, end, is_complete=part is None)
    if part is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    response["Content-Length"] = str(end - start)
    response["Content-Type"] = media_type
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Accept-Ranges"] = "bytes"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Cache-Control"] = "no-store, private"
    if media_type == KINDS["svg"].media_type:
        response["Content-Security-Policy"] = DRAWING_POLICY
    return response


def _body(
    request: HttpRequest, path: Path, start: int, end: int, *, is_complete: bool
) -> HttpResponseBase:
    if request.method == "HEAD":
        return HttpResponse()
    file = path.open("rb")
    if is_complete:
        return FileResponse(file)
    return StreamingHttpResponse(_Part(file, start, end))


class _Part:
    """Some bytes of a file, piece by piece; closes it in the end, also when nobody listens."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._file, self._left = file, end - start
        file.seek(start)

    def __iter__(self) -> Iterator[bytes]:
        while self._left > 0 and (chunk := self._file.read(min(CHUNK, self._left))):
            self._left -= len(chunk)
            yield chunk

    def close(self) -> None:
        """Let go of the file; Django calls this when the answer is over."""
        self._file.close()
