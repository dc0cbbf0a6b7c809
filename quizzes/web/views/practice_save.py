"""Tries in practice that a script sends: each once by its id, however often and late it comes."""

import json
import operator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from accounts.models import User
from quizzes.bank.selectors import load_public_versions
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.practice import services
from quizzes.practice.access import find_practice_quiz
from quizzes.practice.selectors import find_practised
from quizzes.presentation.lenient_parsing import parse_leniently
from quizzes.presentation.messages.attempts import describe_refusal
from quizzes.publishing.selectors import load_quiz_uuid
from quizzes.web.decorators import current_user, json_error, json_view

MOST_TRIES: Final = 200
"""In one request: as many as a browser sends of its outbox (sync.js)."""


@dataclass(frozen=True, slots=True)
class _SentTry:
    """A try as a browser sends it; `tried` tries were made before it."""

    idempotency_key: UUID
    question: UUID
    answer: Any
    tried: int


@require_POST
@json_view
def save_tries(request: HttpRequest, slug: str) -> HttpResponse:
    """Check answers to practised questions, and say of each what became of it.

    `checked`; `late`: another tab or device had gone on; `unreadable`: the `sentence` says why, or
    else the form; `gone`: nothing of theirs, or of what they may practise now. Not open now: 409.
    """
    learner, quiz_uuid = current_user(request), load_quiz_uuid(slug)
    if quiz_uuid is None:
        raise NotFound
    try:
        find_practice_quiz(learner, quiz_uuid, clock.now())
    except Refused as refused:
        return json_error(refused.code, 409, sentence=describe_refusal(refused.code))
    saves = [
        {
            "slot": str(sent.idempotency_key),
            "revision": 1,
            **_check(sent, learner, request.LANGUAGE_CODE),
        }
        for sent in _parse_tries(request.body)
    ]
    return JsonResponse({"saves": saves})


def _check(sent: _SentTry, learner: User, language: str) -> dict[str, str]:
    version = find_practised(sent.question, learner)
    if version is None:
        return {"status": "gone"}
    public_version = load_public_versions([version])[version]
    answer, problems = parse_leniently(public_version, sent.answer)
    if problems or answer is None:
        return {"status": "unreadable"}
    try:
        is_stored = services.check_answer(
            question=sent.question,
            learner=learner,
            raw=sent.answer,
            tried=sent.tried,
            idempotency_key=sent.idempotency_key,
            language=language,
            now=clock.now(),
        )
    except Invalid as invalid:
        if invalid.code == "took_too_long":  # it would again, however often it is sent
            return {"status": "unreadable", "sentence": describe_refusal(invalid.code)}
        return {"status": "unreadable"}
    except (NotFound, Refused):  # of a practice that the address does not name
        return {"status": "gone"}
    return {"status": "checked" if is_stored else "late"}


def _parse_tries(body: bytes) -> list[_SentTry]:
    """Return what a browser sent. Anything else: Invalid, with where."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise Invalid("not_json", where="body") from None
    listed = data.get("saves") if isinstance(data, dict) else None
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST_TRIES:
        raise Invalid("not_a_list", where="saves")
    return [_parse_try(entry, f"saves.{number}") for number, entry in enumerate(listed)]


def _parse_try(entry: Any, where: str) -> _SentTry:
    try:
        sent = entry["answer"]
        return _SentTry(
            idempotency_key=UUID(entry["idempotency_key"]),
            question=UUID(sent["question"]),
            answer=sent["answer"],
            tried=operator.index(sent["tried"]),
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Invalid("unknown_field", where=where) from None
