"""An order: a place chosen for each item; with scripts, a list whose items are moved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

from grading.contract import LedgerLine
from grading.json_types import Json
from grading.kinds import KINDS
from grading.ordering.scoring_methods import PLACES
from quizzes.bank.selectors import PublicVersion, RenderedTexts
from quizzes.presentation import fragments, ledger_messages
from quizzes.presentation.excerpts import excerpt, quote
from quizzes.presentation.formatting import format_signed_fraction
from quizzes.presentation.messages.attempts import describe_reason
from quizzes.presentation.view_models import Fragment, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = True
renders_prompt = False

interpretation = ledger_messages.no_interpretation
ledger_rows = ledger_messages.ledger_rows

OUT_OF_PLACE, IN_PLACE = PLACES
PLACED = "quizzes/kinds/ordering/placed_item.html"
MAX_DIGITS = 4
"""Digits of a place that are read as a number."""


@dataclass(frozen=True, slots=True)
class PlacedItem:
    """One item of an order; `state` is right, wrong, or "" where nothing is revealed."""

    html: SafeString | str
    lang: str
    state: str = ""
    reason: str = ""
    feedback_html: SafeString | None = None
    feedback_lang: str = ""
    earned: str | None = None


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return the items, each with the places there are."""
    ids = [id_ for id_, _ in KINDS[public_version.kind].shufflable_ids(public_version.content)]
    texts = public_version.words(language).parts
    return {
        "items": [_build_item(id_, texts.get(id_, ""), len(ids)) for id_ in ids],
        "ends": fragments.END_RUN,
    }


def _build_item(id_: str, html: str, count: int) -> dict[str, Any]:
    places = range(1, count + 1)
    return {
        "id": id_,
        "begins": fragments.shuffle_item(id_),
        "html": html,
        "excerpt": excerpt(html),
        "places": [
            {"place": place, "selected": fragments.placeholder(f"selected:{id_}:{place}")}
            for place in places
        ],
    }


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return which place of each item is selected, of an order or of mere places."""
    places = (answer or {}).get("places")
    if places is None:
        order = answer["order"] if answer else ()
        places = {id_: place for place, id_ in enumerate(order, 1)}
    return {f"selected:{id_}:{place}": "selected" for id_, place in places.items()}


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return the place chosen for each item; a blank choice is none."""
    begins = f"q-{slot}-places-"
    places: dict[str, Json] = {
        name.removeprefix(begins): _parse_place(str(posted[name]))
        for name in posted
        if name.startswith(begins) and posted[name]
    }
    return {"places": places} if places else None


def _parse_place(text: str) -> Json:
    """Return a place as a number; anything else unchanged, for `grading` to refuse."""
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return int(text) if is_number else text


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return the items in their order."""
    texts = public_version.words(language).parts
    return ", ".join(
        f"{place}. {quote(excerpt(texts[id_]))}" for place, id_ in enumerate(answer["order"], 1)
    )


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the learner's order with the feedback on each item, and the right one beside it."""
    texts = item.public_version.words(language)
    chosen, looked_for = _order(item.answer), _order(item.solution)
    placed = [_build_placed_item(item, place, id_, texts) for place, id_ in enumerate(chosen)]
    beside = () if chosen == looked_for else looked_for
    right = [PlacedItem(_part_html(texts, id_), texts.language) for id_ in beside]
    return ReviewContent(
        {
            "learner": [Fragment(PLACED, row) for row in placed],
            "right": [Fragment(PLACED, row) for row in right],
        },
        frame=(bool(chosen), bool(beside)),
    )


def _order(answer: Mapping[str, Any] | None) -> list[str]:
    return list(answer["order"]) if answer else []


def _build_placed_item(
    item: QuestionReport, place: int, id_: str, texts: RenderedTexts
) -> PlacedItem:
    line = next((line for line in item.ledger if line.part == id_), None)
    right, reason = _judge_place(line, place, id_, _order(item.solution))
    return PlacedItem(
        html=_part_html(texts, id_),
        lang=texts.language,
        state="" if right is None else "right" if right else "wrong",
        reason=describe_reason(reason) if reason else "",
        feedback_html=ledger_messages.safe_html(item.feedback.get(id_)),
        feedback_lang=item.feedback_language,
        earned=format_signed_fraction(line.earned) if line and line.earned else None,
    )


def _judge_place(
    line: LedgerLine | None, place: int, id_: str, looked_for: list[str]
) -> tuple[bool | None, str]:
    """Return whether an item is right and why: by the scoring method, else by the key alone."""
    if line:
        return line.right, line.reason
    if looked_for:
        right = looked_for.index(id_) == place
        return right, IN_PLACE if right else OUT_OF_PLACE
    return None, ""


def _part_html(texts: RenderedTexts, id_: str) -> SafeString | str:
    return ledger_messages.safe_html(texts.parts.get(id_)) or ""
