"""Saving by script: JSON in, JSON out, acknowledged when committed; and the time left."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Never
from uuid import UUID

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_POST, require_safe

from grading.contract import Unreadable
from quizzes.attempts import saving
from quizzes.attempts.models import State, Verdict
from quizzes.attempts.saving import Save, Saved
from quizzes.attempts.selectors import sheet
from quizzes.bank.selectors import Paper
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.web import reading, words
from quizzes.web.gate import person, refusal, script
from quizzes.web.kinds import WEB_KINDS
from quizzes.web.taking import remaining

MOST = 500
"""Saves in one request: more than any quiz has questions."""

Wrong = dict[int, dict[str, Any]]
"""What was left out of the answers to these slots: `{"unread": {code, sentence, where}}`."""

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
        told, wrong = _kept(request, attempt, read(body))
    except Invalid as invalid:
        return refusal(invalid.code, 400, **invalid.detail)
    answer: dict[str, Any] = {"saves": [_told(one) | wrong.get(one.slot, {}) for one in told]}
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


def _kept(request: HttpRequest, attempt: UUID, saves: list[Save]) -> tuple[Sequence[Saved], Wrong]:
    """Save all; if one cannot be read, what can be read of each, and tell what was left out."""
    keep = partial(
        saving.save,
        attempt=attempt,
        learner=person(request),
        language=request.LANGUAGE_CODE,
        now=clock.now(),
    )
    try:
        return keep(saves=saves), {}
    except Invalid as invalid:
        if "slot" not in invalid.detail:
            raise
    papers = sheet(attempt=attempt, learner=person(request)).papers
    wrong: Wrong = {}
    readable = [_readable(one, papers, request.LANGUAGE_CODE, wrong) for one in saves]
    try:
        return keep(saves=readable), wrong
    except Invalid as invalid:
        raise _in_words(invalid, papers, request.LANGUAGE_CODE) from None


def _readable(one: Save, papers: Sequence[Paper], language: str, wrong: Wrong) -> Save:
    """Leave out of a save what cannot be read, unless nothing else is said in it."""
    if not 0 <= one.slot < len(papers):
        return one
    paper = papers[one.slot]
    answer, found = reading.read(paper, one.raw)
    if answer is None or not found:
        return one
    wrong[one.slot] = {
        "unread": {
            "code": found[0].code,
            "sentence": reading.sentence(paper, found, language),
            "where": [reading.place(each) for each in found],
        }
    }
    return replace(one, raw=answer)


def _in_words(invalid: Invalid, papers: Sequence[Paper], language: str) -> Invalid:
    """Add a sentence for whoever gave the answer that cannot be kept."""
    slot = invalid.detail["slot"]
    if not 0 <= slot < len(papers):
        said = words.unreadable(invalid.code)
    else:
        found = Unreadable(invalid.code, {"where": str(invalid.detail["where"])})
        said = reading.sentence(papers[slot], [found], language)
    return Invalid(invalid.code, **{**invalid.detail, "sentence": said})


def _told(one: Saved) -> dict[str, Any]:
    """Tell what stands, and in the words of the page how it was read, if that is in doubt."""
    read_as = WEB_KINDS[one.kind].read_as(one.answer, get_language() or "") if one.answer else ""
    return {
        "slot": one.slot,
        "verdict": one.verdict,
        "revision": one.revision,
        "answer": one.answer,
        "read_as": read_as,
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
