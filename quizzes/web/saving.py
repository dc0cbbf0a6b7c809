"""Saving by script: JSON in, JSON out, acknowledged when committed; and the time left."""

import json
from collections.abc import Mapping
from typing import Any, Never
from uuid import UUID

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from quizzes.attempts import saving
from quizzes.attempts.models import State, Verdict
from quizzes.attempts.saving import Save, Saved
from quizzes.attempts.selectors import sheet
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.web import words
from quizzes.web.gate import person, refusal, script
from quizzes.web.taking import remaining

MOST = 500
"""Saves in one request: more than any quiz has questions."""

FIELDS = frozenset({"slot", "answer", "flagged", "base", "operation", "client"})


@require_POST
@script
def save(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Append saves to the journal; what came too late is kept, but the answer is 409."""
    try:
        body = request.body
    except RequestDataTooBig:
        return refusal(
            "too_big", 413, sentence=gettext("This is too long to be saved. Shorten it.")
        )
    try:
        told = saving.save(
            attempt=attempt,
            learner=person(request),
            saves=read(body),
            language=request.LANGUAGE_CODE,
            now=clock.now(),
        )
    except Invalid as invalid:
        return _invalid(invalid)
    answer: dict[str, Any] = {"saves": [_told(one) for one in told]}
    if any(one.verdict == Verdict.LATE for one in told):
        return JsonResponse({"code": "late", **answer}, status=409)
    return JsonResponse(answer)


@require_safe
@script
def clock_of(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Tell the seconds that are left by the server's clock, and whether the attempt is open."""
    row = sheet(attempt=attempt, learner=person(request)).attempt
    left = remaining(row.deadline_at, clock.now())
    return JsonResponse({"open": row.state == State.OPEN, "remaining": left})


def _invalid(invalid: Invalid) -> JsonResponse:
    """Name the slot whose answer cannot be kept, with a sentence for whoever gave it."""
    detail = dict(invalid.detail)
    if "slot" in detail:
        detail["sentence"] = words.unreadable(invalid.code)
    return refusal(invalid.code, 400, **detail)


def _told(one: Saved) -> dict[str, Any]:
    return {
        "slot": one.slot,
        "verdict": one.verdict,
        "revision": one.revision,
        "answer": one.answer,
        "flagged": one.flagged,
        "at": one.at.isoformat(),
    }


def read(body: bytes) -> list[Save]:
    """Read `{"saves": [...]}` strictly. Anything else: Invalid, saying where."""
    try:
        data = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Invalid("not_json", where="body") from None
    listed = data.get("saves") if isinstance(data, dict) else None
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST:
        raise Invalid("not_a_list", where="saves")
    return [_save(entry, number) for number, entry in enumerate(listed)]


def _no_number(_name: str) -> Never:
    raise ValueError("NaN and Infinity are no JSON")


def _save(entry: Any, number: int) -> Save:
    if not isinstance(entry, dict) or not entry.keys() <= FIELDS or "answer" not in entry:
        raise Invalid("unknown_field", where=f"saves.{number}")
    slot = _integer(entry, "slot", number)
    if slot is None:
        raise Invalid("not_a_number", where=f"saves.{number}.slot")
    operation = _uuid(entry, "operation", number)
    if operation is None:
        raise Invalid("not_a_uuid", where=f"saves.{number}.operation")
    flagged = entry.get("flagged", False)
    if not isinstance(flagged, bool):
        raise Invalid("not_true_or_false", where=f"saves.{number}.flagged")
    return Save(
        slot=slot,
        raw=entry["answer"],
        operation=operation,
        base=_integer(entry, "base", number),
        flagged=flagged,
        client=_uuid(entry, "client", number),
    )


def _integer(entry: Mapping[str, Any], name: str, number: int) -> int | None:
    value = entry.get(name)
    if value is not None and type(value) is not int:
        raise Invalid("not_a_number", where=f"saves.{number}.{name}")
    return value


def _uuid(entry: Mapping[str, Any], name: str, number: int) -> UUID | None:
    value = entry.get(name)
    if value is None:
        return None
    try:
        return UUID(value)
    except (ValueError, AttributeError, TypeError):
        raise Invalid("not_a_uuid", where=f"saves.{number}.{name}") from None
