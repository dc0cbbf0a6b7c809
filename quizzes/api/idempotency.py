"""Answering a repeated write as the first time: the row of the key is committed with the write."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from quizzes.api.base_view import APIResponse
from quizzes.api.models import IdempotentWrite
from quizzes.api.permissions import request_user
from quizzes.api.problems import problem_response
from quizzes.lib import clock
from quizzes.lib.errors import Invalid

KEY_PATTERN = re.compile(r"[!-~]{1,200}")
KEPT_FOR = timedelta(days=7)
FIRST_ERROR_STATUS = 400
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": f"^{KEY_PATTERN.pattern}$", "minLength": 1, "maxLength": 200},
    OpenApiParameter.HEADER,
    description="Sent again with the same body within a week, the first answer is given again.",
)


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The answer of a write. `stored` is what is remembered of it, if not all of it may be."""

    status: int
    data: Mapping[str, Any] | None
    location: str = ""
    etag: str = ""
    stored: Mapping[str, Any] | None = None


Write = Callable[[], WriteResult]
Replay = Callable[[str], WriteResult]


def idempotent(
    request: Request,
    write: Write,
    *,
    same_transaction: bool = True,
    replay: Replay | None = None,
) -> APIResponse:
    """Return the answer of a write; under a key seen before with the same request, its answer then.

    With another request under the same key: Invalid. `same_transaction`: `write` and the
    key are committed together; if not, the write stays even if the key cannot be stored.
    `replay`, of an answer that has data of persons or keys: it builds the answer anew from what is
    there now, its Location its argument, and checks the rights again; no body is remembered.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return _send(write())
    if not KEY_PATTERN.fullmatch(key):
        raise Invalid("idempotency_key_malformed", where="Idempotency-Key")
    earlier = _earlier_answer(request, key, replay)
    if earlier is not None:
        return earlier
    return (
        _write_and_remember(request, key, write, replay)
        if same_transaction
        else _write_then_remember(request, key, write, replay)
    )


def _write_and_remember(
    request: Request, key: str, write: Write, replay: Replay | None
) -> APIResponse:
    try:
        with transaction.atomic():
            write_result = write()
            _remember(request, key, write_result, has_body=replay is None)
    except IntegrityError:
        # The same request came twice at once; the other was first.
        earlier = _earlier_answer(request, key, replay)
        if earlier is None:
            raise
        return earlier
    return _send(write_result)


def _write_then_remember(
    request: Request, key: str, write: Write, replay: Replay | None
) -> APIResponse:
    write_result = write()
    try:
        with transaction.atomic():
            _remember(request, key, write_result, has_body=replay is None)
    except IntegrityError:
        return _earlier_answer(request, key, replay) or _send(write_result)
    return _send(write_result)


def _fingerprint(request: Request) -> str:
    sent = [request.method, request.path, request.data]
    return sha256(json.dumps(sent, sort_keys=True, default=_file_identity).encode()).hexdigest()


def _file_identity(file: "UploadedFile[Any]") -> list[str | None]:
    """Return what identifies a file of the request: its name and its bytes."""
    digest = sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return [file.name, digest.hexdigest()]


def _earlier_answer(request: Request, key: str, replay: Replay | None) -> APIResponse | None:
    recent = IdempotentWrite.objects.filter(created_at__gte=clock.now() - KEPT_FOR)
    row = recent.filter(user=request_user(request), key=key).first()
    if row is None:
        return None
    if row.fingerprint != _fingerprint(request):
        raise Invalid("idempotency_key_reused", where="Idempotency-Key")
    if replay is None:
        answer = WriteResult(row.status, json.loads(row.body), row.location, row.etag)
    else:
        answer = replace(replay(row.location), status=row.status, location=row.location)
    response = _send(answer)
    response["Idempotent-Replayed"] = "true"
    return response


def delete_old_answers(*, now: datetime) -> int:
    """Delete the answers that no key brings again; return how many."""
    return IdempotentWrite.objects.filter(created_at__lt=now - KEPT_FOR).delete()[0]


def _remember(request: Request, key: str, write_result: WriteResult, *, has_body: bool) -> None:
    user, now = request_user(request), clock.now()
    IdempotentWrite.objects.filter(user=user, created_at__lt=now - KEPT_FOR).delete()
    body = write_result.data if write_result.stored is None else write_result.stored
    IdempotentWrite.objects.create(
        user=user,
        key=key,
        fingerprint=_fingerprint(request),
        status=write_result.status,
        location=write_result.location,
        etag=write_result.etag,
        body=json.dumps(body) if has_body else "",
        created_at=now,
    )


def _send(write_result: WriteResult) -> APIResponse:
    named = {"Location": write_result.location, "ETag": write_result.etag}
    headers = {name: header for name, header in named.items() if header}
    if write_result.status >= FIRST_ERROR_STATUS and write_result.data is not None:
        return problem_response(write_result.data, headers)
    return Response(write_result.data, write_result.status, headers=headers)
