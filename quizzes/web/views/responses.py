"""Saving by script: JSON in, JSON out, acknowledged when committed; and the time left."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Never
from uuid import UUID

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_POST, require_safe

from grading.contract import InvalidAnswer
from quizzes.attempts import responses
from quizzes.attempts.models import SaveStatus, State
from quizzes.attempts.responses import ResponseInput, SaveResult
from quizzes.attempts.selectors import load_attempt_view
from quizzes.bank.selectors import PublicVersion
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.lenient_parsing import describe_problems, parse_leniently, part_path
from quizzes.presentation.messages.attempts import describe_format_error
from quizzes.web.decorators import current_user, guests_allowed, json_error, json_view
from quizzes.web.taking_device import read_device
from quizzes.web.views.attempt import build_clock, describe_locked_answer

MESSAGES = "partials/instructor_messages_list.html"
MAX_SAVES = 500
"""Saves in one request: more than any quiz has questions."""

Rejections = dict[int, dict[str, Any]]
"""What was left out of the answers to these slots: `{"format_error": {code, sentence, where}}`."""

SAVE_FIELDS = frozenset({"slot", "answer", "flagged", "base_revision", "idempotency_key", "client"})


@guests_allowed
@require_POST
@json_view
def save(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Append saves to the journal; what came too late is stored, but the answer is 409."""
    try:
        body = request.body
    except RequestDataTooBig:
        return json_error(
            "too_big", 413, sentence=gettext("This is too long to be saved. Shorten it.")
        )
    try:
        saved, rejections = _save_readable(request, attempt, parse_saves(body))
    except Invalid as invalid:
        return json_error(invalid.code, 400, **invalid.detail)
    answer: dict[str, Any] = {
        "saves": [_serialize(response) | rejections.get(response.slot, {}) for response in saved]
    }
    if any(response.status == SaveStatus.LOCKED for response in saved):
        _add_locked_sentences(request, attempt, parse_saves(body), answer["saves"])
    if any(response.status == SaveStatus.LATE for response in saved):
        return JsonResponse({"code": "late", **answer}, status=409)
    return JsonResponse(answer)


@guests_allowed
@require_safe
@json_view
def time_left(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Return the seconds that are left by the server's clock, and whether the attempt is open.

    `paused`: the seconds for which they stand. The deadline without pauses tells a page that time
    was given: seconds alone could be a slow network. Messages of instructors are as the page has
    them. `elsewhere`: the attempt is open on another device, and one is allowed.
    """
    attempt_view = load_attempt_view(attempt=attempt, learner=current_user(request))
    row = attempt_view.attempt
    left = build_clock(row, clock.now())
    messages = attempt_view.messages
    answer = {
        "open": row.state == State.OPEN,
        "remaining": left.remaining,
        "paused": left.paused,
        "deadline": left.given_until and left.given_until.isoformat(),
        "messages": render_to_string(MESSAGES, {"messages": messages}) if messages else "",
        "elsewhere": attempt_view.is_elsewhere(read_device(request)),
    }
    return JsonResponse(answer)


def _save_readable(
    request: HttpRequest, attempt: UUID, saves: list[ResponseInput]
) -> tuple[Sequence[SaveResult], Rejections]:
    """Save all; if one cannot be read, what can be read of each, and return what was left out."""
    save_all = partial(
        responses.save_responses,
        attempt=attempt,
        learner=current_user(request),
        language=request.LANGUAGE_CODE,
        now=clock.now(),
        device=read_device(request),
    )
    try:
        return save_all(inputs=saves), {}
    except Invalid as invalid:
        if "slot" not in invalid.detail:
            raise
    public_versions = load_attempt_view(
        attempt=attempt, learner=current_user(request)
    ).public_versions
    rejections: Rejections = {}
    readable = [
        _without_rejected(answer_save, public_versions, request.LANGUAGE_CODE, rejections)
        for answer_save in saves
    ]
    try:
        return save_all(inputs=readable), rejections
    except Invalid as invalid:
        raise _with_sentence(invalid, public_versions, request.LANGUAGE_CODE) from None


def _add_locked_sentences(
    request: HttpRequest, attempt: UUID, sent: list[ResponseInput], saves: list[dict[str, Any]]
) -> None:
    """Say of each save to a question that had been left what it was: it counts no more."""
    versions = load_attempt_view(attempt=attempt, learner=current_user(request)).public_versions
    for response_input, saved in zip(sent, saves, strict=True):
        if saved["status"] == SaveStatus.LOCKED:
            public_version = versions[response_input.slot]
            answer, _ = parse_leniently(public_version, response_input.raw)
            saved["sentence"] = describe_locked_answer(public_version, response_input.slot, answer)


def _without_rejected(
    answer_save: ResponseInput,
    public_versions: Sequence[PublicVersion],
    language: str,
    rejections: Rejections,
) -> ResponseInput:
    """Return a save without what cannot be read, or as it is if nothing is left."""
    if not 0 <= answer_save.slot < len(public_versions):
        return answer_save
    public_version = public_versions[answer_save.slot]
    answer, problems = parse_leniently(public_version, answer_save.raw)
    if answer is None or not problems:
        return answer_save
    rejections[answer_save.slot] = {
        "format_error": {
            "code": problems[0].code,
            "sentence": describe_problems(public_version, problems, language),
            "where": [part_path(each) for each in problems],
        }
    }
    return replace(answer_save, raw=answer)


def _with_sentence(
    invalid: Invalid, public_versions: Sequence[PublicVersion], language: str
) -> Invalid:
    """Return the error with a sentence for the author of the answer that cannot be saved."""
    slot = invalid.detail["slot"]
    if not 0 <= slot < len(public_versions):
        text = describe_format_error(invalid.code)
    else:
        problem = InvalidAnswer(invalid.code, {"where": str(invalid.detail["where"])})
        text = describe_problems(public_versions[slot], [problem], language)
    return Invalid(invalid.code, **{**invalid.detail, "sentence": text})


def _serialize(saved: SaveResult) -> dict[str, Any]:
    """Return what counts now, and how it was read if that is in doubt, as JSON."""
    interpretation = (
        PRESENTED_KINDS[saved.kind].interpretation(saved.answer, get_language() or "")
        if saved.answer
        else ""
    )
    return {
        "slot": saved.slot,
        "status": saved.status,
        "revision": saved.revision,
        "answer": saved.answer,
        "interpretation": interpretation,
        "flagged": saved.flagged,
        "at": saved.at.isoformat(),
    }


def parse_saves(body: bytes) -> list[ResponseInput]:
    """Return the saves of `{"saves": [...]}`. Anything else: Invalid, with where."""
    try:
        data = json.loads(body, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        raise Invalid("not_json", where="body") from None
    listed = data.get("saves") if isinstance(data, dict) else None
    if not isinstance(listed, list) or not 0 < len(listed) <= MAX_SAVES:
        raise Invalid("not_a_list", where="saves")
    return [_parse_save(entry, number) for number, entry in enumerate(listed)]


def _reject_constant(_name: str) -> Never:
    raise ValueError("NaN and Infinity are no JSON")


def _parse_save(entry: Any, number: int) -> ResponseInput:
    if not isinstance(entry, dict) or not entry.keys() <= SAVE_FIELDS or "answer" not in entry:
        raise Invalid("unknown_field", where=f"saves.{number}")
    slot = _parse_integer(entry, "slot", number)
    if slot is None:
        raise Invalid("not_a_number", where=f"saves.{number}.slot")
    idempotency_key = _parse_uuid(entry, "idempotency_key", number)
    if idempotency_key is None:
        raise Invalid("not_a_uuid", where=f"saves.{number}.idempotency_key")
    flagged = entry.get("flagged", False)
    if not isinstance(flagged, bool):
        raise Invalid("not_true_or_false", where=f"saves.{number}.flagged")
    return ResponseInput(
        slot=slot,
        raw=entry["answer"],
        idempotency_key=idempotency_key,
        base_revision=_parse_integer(entry, "base_revision", number),
        flagged=flagged,
        client=_parse_uuid(entry, "client", number),
    )


def _parse_integer(entry: Mapping[str, Any], name: str, number: int) -> int | None:
    value = entry.get(name)
    if value is not None and type(value) is not int:
        raise Invalid("not_a_number", where=f"saves.{number}.{name}")
    return value


def _parse_uuid(entry: Mapping[str, Any], name: str, number: int) -> UUID | None:
    value = entry.get(name)
    if value is None:
        return None
    try:
        return UUID(value)
    except (ValueError, AttributeError, TypeError):
        raise Invalid("not_a_uuid", where=f"saves.{number}.{name}") from None
