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
    """What a write came to. `kept`: what is remembered of it, if not all of it may be."""

    status: int
    data: Mapping[str, Any] | None
    location: str = ""
    kept: Mapping[str, Any] | None = None


def once(request: Request, act: Callable[[], Outcome], *, joined: bool = True) -> Answer:
    """Do a write, or answer as before if its key has been seen with the same request.

    With another request under the same key: Invalid. `joined`: act and key are one transaction;
    if not, what was done stays done even if the key cannot be kept.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return _send(act())
    if not READABLE.fullmatch(key):
        raise Invalid("idempotency_key_malformed", where="Idempotency-Key")
    known = _known(request, key)
    if known is not None:
        return known
    return _joined(request, key, act) if joined else _apart(request, key, act)


def _joined(request: Request, key: str, act: Callable[[], Outcome]) -> Answer:
    try:
        with transaction.atomic():
            outcome = act()
            _remember(request, key, outcome)
    except IntegrityError:
        known = _known(request, key)  # the same request came twice at once; the other was first
        if known is None:
            raise
        return known
    return _send(outcome)


def _apart(request: Request, key: str, act: Callable[[], Outcome]) -> Answer:
    outcome = act()
    try:
        with transaction.atomic():
            _remember(request, key, outcome)
    except IntegrityError:
        return _known(request, key) or _send(outcome)
    return _send(outcome)


def _fingerprint(request: Request) -> str:
    sent = [request.method, request.path, request.data]
    return sha256(json.dumps(sent, sort_keys=True, default=_told).encode()).hexdigest()


def _told(file: "UploadedFile[Any]") -> list[str | None]:
    """Tell a file that came along, by its name and its bytes."""
    found = sha256()
    for chunk in file.chunks():
        found.update(chunk)
    file.seek(0)
    return [file.name, found.hexdigest()]


def _known(request: Request, key: str) -> Answer | None:
    kept = IdempotentWrite.objects.filter(created_at__gte=clock.now() - KEPT_FOR)
    row = kept.filter(user=caller(request), key=key).first()
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
        body=json.dumps(outcome.data if outcome.kept is None else outcome.kept),
        created_at=now,
    )


def _send(outcome: Outcome) -> Answer:
    headers = {"Location": outcome.location} if outcome.location else {}
    if outcome.status >= PROBLEM_FROM and outcome.data is not None:
        return answer(outcome.data, headers)
    return Response(outcome.data, outcome.status, headers=headers)
