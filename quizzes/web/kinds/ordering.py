"""An order: a place chosen for each item; with scripts, a list whose items are moved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

from grading.contract import Json, Line
from grading.kinds import KINDS
from grading.orders.scoring_methods import PLACES
from quizzes.bank.selectors import Paper, Rendered
from quizzes.presentation import messages
from quizzes.presentation.kinds import ordering as presented
from quizzes.presentation.texts import excerpt
from quizzes.results.report import ItemReport
from quizzes.web import moulds, telling, words
from quizzes.web.pages import Piece, Review

shows_scoring_hint = True
draws_prompt = False

read_as = telling.read_as
in_words = presented.answer_text
why = telling.why

OUT_OF_PLACE, IN_PLACE = PLACES
PLACED = "quizzes/kinds/ordering/placed.html"
LONGEST = 4
"""Digits of a place that are read as a number."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One item of an order; `state` is right, wrong, or "" where nothing is said of it."""

    html: SafeString | str
    lang: str
    state: str = ""
    said: str = ""
    feedback_html: SafeString | None = None
    feedback_lang: str = ""
    earned: str | None = None


def form(paper: Paper, language: str) -> dict[str, Any]:
    """Return the items, each with the places there are."""
    ids = [id_ for id_, _ in KINDS[paper.kind].orderable(paper.content)]
    texts = paper.words(language).parts
    return {
        "items": [_item(id_, texts.get(id_, ""), len(ids)) for id_ in ids],
        "ends": moulds.REST,
    }


def _item(id_: str, html: str, count: int) -> dict[str, Any]:
    places = range(1, count + 1)
    return {
        "id": id_,
        "begins": moulds.part(id_),
        "html": html,
        "excerpt": excerpt(html),
        "places": [
            {"place": place, "selected": moulds.gap(f"selected:{id_}:{place}")} for place in places
        ],
    }


def filled(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Tell which place of each item is selected, of an order or of places that are no order yet."""
    places = (answer or {}).get("places")
    if places is None:
        order = answer["order"] if answer else ()
        places = {id_: place for place, id_ in enumerate(order, 1)}
    return {f"selected:{id_}:{place}": "selected" for id_, place in places.items()}


def read(posted: QueryDict, slot: int) -> Json:
    """Read the place chosen for each item; a blank choice is none."""
    begins = f"q-{slot}-places-"
    places: dict[str, Json] = {
        name.removeprefix(begins): _place(str(posted[name]))
        for name in posted
        if name.startswith(begins) and posted[name]
    }
    return {"places": places} if places else None


def _place(text: str) -> Json:
    """Return a place as a number; anything else unchanged, for `grading` to refuse."""
    is_number = text.isascii() and text.isdigit() and len(text) <= LONGEST
    return int(text) if is_number else text


def review(item: ItemReport, language: str) -> Review:
    """Return the learner's order with the feedback on each item, and the right one beside it."""
    texts = item.paper.words(language)
    chosen, looked_for = _order(item.answer), _order(item.solution)
    placed = [_placed(item, place, id_, texts) for place, id_ in enumerate(chosen)]
    beside = () if chosen == looked_for else looked_for
    right = [Placed(_html(texts, id_), texts.language) for id_ in beside]
    return Review(
        {
            "given": [Piece(PLACED, row) for row in placed],
            "right": [Piece(PLACED, row) for row in right],
        },
        frame=(bool(chosen), bool(beside)),
    )


def _order(answer: Mapping[str, Any] | None) -> list[str]:
    return list(answer["order"]) if answer else []


def _placed(item: ItemReport, place: int, id_: str, texts: Rendered) -> Placed:
    line = next((line for line in item.ledger if line.part == id_), None)
    right, reason = _judged(line, place, id_, _order(item.solution))
    return Placed(
        html=_html(texts, id_),
        lang=texts.language,
        state="" if right is None else "right" if right else "wrong",
        said=messages.reason(reason) if reason else "",
        feedback_html=telling.safe(item.feedback.get(id_)),
        feedback_lang=item.feedback_language,
        earned=words.signed(line.earned) if line and line.earned else None,
    )


def _judged(
    line: Line | None, place: int, id_: str, looked_for: list[str]
) -> tuple[bool | None, str]:
    """Return whether an item is right and why: by the scoring method, else by the key alone."""
    if line:
        return line.right, line.reason
    if looked_for:
        right = looked_for.index(id_) == place
        return right, IN_PLACE if right else OUT_OF_PLACE
    return None, ""


def _html(texts: Rendered, id_: str) -> SafeString | str:
    return telling.safe(texts.parts.get(id_)) or ""
