"""Study without a network: the cards that a browser stores, and what it sends of them (ADR 69)."""

import json
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.study import selectors, services
from quizzes.study.domain.times import FIRST_YEAR, LAST_YEAR
from quizzes.study.services import EntryInput, EntryOutcome
from quizzes.web.decorators import current_user, json_view, login_required_page
from quizzes.web.views.study import build_card, find_study_device, render_sides

MOST_CARDS: Final = 40
"""More than most people study in one journey without a network."""


@login_required_page
@require_safe
def stored_cards(request: HttpRequest) -> HttpResponse:
    """Show the next cards of today, as many as a browser stores."""
    learner, now = current_user(request), clock.now()
    today = selectors.load_today(learner, now)
    cards = selectors.load_cards(learner, today, most=MOST_CARDS)
    views = selectors.load_card_views(
        cards, learner, today.settings, language=request.LANGUAGE_CODE, now=now
    )
    rows = [(build_card(view, today), *render_sides(view)) for view in views]
    return render(request, "quizzes/pages/stored_cards.html", {"cards": rows})


@require_POST
@json_view
def save_reviews(request: HttpRequest) -> HttpResponse:
    """Add what was done with cards to their logs, each entry once, whenever it comes."""
    sent_at, inputs = parse_reviews(request.body)
    outcomes = services.record_entries(
        learner=current_user(request),
        device=find_study_device(request),
        sent_at=sent_at,
        inputs=inputs,
        now=clock.now(),
    )
    saves = [_serialize(*pair) for pair in zip(inputs, outcomes, strict=True)]
    return JsonResponse({"saves": saves})


def parse_reviews(body: bytes) -> tuple[datetime, list[EntryInput]]:
    """Return when a browser sent entries, and these. Anything else: Invalid, with where."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise Invalid("not_json", where="body") from None
    listed = data.get("saves") if isinstance(data, dict) else None
    if not isinstance(listed, list) or not 0 < len(listed) <= services.MOST_ENTRIES:
        raise Invalid("not_a_list", where="saves")
    return _parse_time(data.get("sent_at"), "sent_at"), [
        _parse_entry(entry, f"saves.{number}") for number, entry in enumerate(listed)
    ]


def _parse_entry(entry: Any, where: str) -> EntryInput:
    done = entry.get("answer") if isinstance(entry, dict) else None
    if not isinstance(done, dict):
        raise Invalid("unknown_field", where=where)
    rating, language = done.get("rating"), done.get("language", "")
    if rating is not None and type(rating) is not int:
        raise Invalid("not_a_number", where=f"{where}.rating")
    return EntryInput(
        client_id=_parse_uuid(entry.get("idempotency_key"), f"{where}.idempotency_key"),
        card=_parse_uuid(done.get("card"), f"{where}.card"),
        action=str(done.get("action", "")),
        device_at=_parse_time(done.get("at"), f"{where}.at"),
        rating=rating,
        language=str(language)[:5],
    )


def _parse_uuid(written: Any, where: str) -> UUID:
    try:
        return UUID(written)
    except (ValueError, TypeError, AttributeError):
        raise Invalid("not_a_uuid", where=where) from None


def _parse_time(written: Any, where: str) -> datetime:
    try:
        moment = datetime.fromisoformat(written)
    except (ValueError, TypeError):
        raise Invalid("not_a_time", where=where) from None
    if moment.tzinfo is None or not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise Invalid("not_a_time", where=where)
    return moment


def _serialize(entry: EntryInput, outcome: EntryOutcome) -> dict[str, Any]:
    """Return the server's word on an entry, as on an answer of an attempt."""
    return {
        "slot": str(entry.client_id),
        "status": "accepted" if outcome.status != services.NOT_FOUND else outcome.status,
        "revision": 1,
        "card": str(entry.card),
        "rating": entry.rating,
    }
