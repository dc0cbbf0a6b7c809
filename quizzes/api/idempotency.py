"""Answering a repeated write as the first time: the row of the key is committed with the write."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from quizzes.api.door import Answer
from quizzes.api.models import IdempotentWrite
from quizzes.api.permissions import caller
from quizzes.api.problems import answer
from quizzes.lib import clock
from quizzes.lib.errors import Invalid

READABLE = re.compile(r"[!-~]{1,200}")
KEPT_FOR = timedelta(days=7)
PROBLEM_FROM = 400
HEADER = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": f"^{READABLE.pattern}$", "minLength": 1, "maxLength": 200},
    OpenApiParameter.HEADER,
    description="Sent again with the same body within a week, the first answer is given again.",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a write came to. `stored`: what is remembered of it, if not all of it may be."""

    status: int
    data: Mapping[str, Any] | None
    location: str = ""
    stored: Mapping[str, Any] | None = None


def once(request: Request, act: Callable[[], Outcome], *, joined: bool = True) -> Answer:
    """Do a write, or answer as before if its key has been seen with the same request.

    With another request under the same key: Invalid. `joined`: act and key are one transaction;
    if not, the act stays done even if the key cannot be stored.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return _send(act())
    if not READABLE.fullmatch(key):
        raise Invalid("idempotency_key_malformed", where="Idempotency-Key")
    earlier = _earlier_answer(request, key)
    if earlier is not None:
        return earlier
    return _joined(request, key, act) if joined else _apart(request, key, act)


def _joined(request: Request, key: str, act: Callable[[], Outcome]) -> Answer:
    try:
        with transaction.atomic():
            outcome = act()
            _remember(request, key, outcome)
    except IntegrityError:
        # The same request came twice at once; the other was first.
        earlier = _earlier_answer(request, key)
        if earlier is None:
            raise
        return earlier
    return _send(outcome)


def _apart(request: Request, key: str, act: Callable[[], Outcome]) -> Answer:
    outcome = act()
    try:
        with transaction.atomic():
            _remember(request, key, outcome)
    except IntegrityError:
        return _earlier_answer(request, key) or _send(outcome)
    return _send(outcome)


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


def _earlier_answer(request: Request, key: str) -> Answer | None:
    recent = IdempotentWrite.objects.filter(created_at__gte=clock.now() - KEPT_FOR)
    row = recent.filter(user=caller(request), key=key).first()
    if row is None:
        return None
    if row.fingerprint != _fingerprint(request):
        raise Invalid("idempotency_key_reused", where="Idempotency-Key")
    response = _send(Outcome(row.status, json.loads(row.body), row.location))
    response["Idempotent-Replayed"] = "true"
    return response


def _remember(request: Request, key: str, outcome: Outcome) -> None:
    user, now = caller(request), clock.now()
    IdempotentWrite.objects.filter(user=user, created_at__lt=now - KEPT_FOR).delete()
    IdempotentWrite.objects.create(
        user=user,
        key=key,
        fingerprint=_fingerprint(request),
        status=outcome.status,
        location=outcome.location,
        body=json.dumps(outcome.data if outcome.stored is None else outcome.stored),
        created_at=now,
    )


def _send(outcome: Outcome) -> Answer:
    headers = {"Location": outcome.location} if outcome.location else {}
    if outcome.status >= PROBLEM_FROM and outcome.data is not None:
        return answer(outcome.data, headers)
    return Response(outcome.data, outcome.status, headers=headers)
