"""A card to study by: front and hint are asked, the back waits for the result page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.safestring import SafeString

from grading.contract import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import Paper
from quizzes.presentation.kinds import flashcard as presented
from quizzes.results.report import ItemReport
from quizzes.web import moulds, telling
from quizzes.web.pages import OptionRow, Piece, Review, Why
from quizzes.web.telling import safe

shows_scoring_hint = False
draws_prompt = False

read_as = telling.read_as
in_words = presented.answer_text


@dataclass(frozen=True, slots=True)
class Back:
    """The back of a card, in the language it is written in."""

    html: SafeString | None
    lang: str


def form(paper: Paper, language: str) -> dict[str, Any]:
    """Return the degrees of recall to choose from, and the hint if the card has one."""
    recalled = KINDS[paper.kind].present(paper.content, ()).parts["recalled"]
    degrees = recalled if isinstance(recalled, list) else []
    return {
        "hint_html": paper.words(language).texts.get("hint", ""),
        "degrees": [
            {
                "value": degree,
                "words": presented.DEGREES[degree],
                "checked": moulds.gap(f"checked:{degree}"),
            }
            for degree in degrees
        ],
        "unanswered_checked": moulds.gap("checked:"),
    }


def filled(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Tell which of the gaps is checked."""
    return {f"checked:{answer['recalled'] if answer else ''}": "checked"}


def read(posted: QueryDict, slot: int) -> Json:
    """Read what was chosen; the empty choice takes the answer back."""
    chosen = posted.get(f"q-{slot}")
    return {"recalled": chosen} if chosen else None


def review(item: ItemReport, language: str) -> Review:
    """Return the back as far as it may be shown, and the degree of recall chosen."""
    back = item.feedback.get("back")
    backs = [Back(safe(back), item.feedback_language)] if back else []
    return Review(
        {
            "back": [Piece("quizzes/kinds/flashcard/back.html", row) for row in backs],
            "rows": [
                Piece("partials/review_option.html", row)
                for row in _answer_rows(item.answer, language)
            ],
        }
    )


def _answer_rows(answer: Mapping[str, Any] | None, language: str) -> list[OptionRow]:
    if answer is None:
        return []
    return [
        OptionRow(
            html=escape(str(presented.DEGREES[answer["recalled"]])),
            lang=language,
            chosen=True,
            right=None,
            feedback_html=None,
            feedback_lang=language,
            earned=None,
        )
    ]


def why(item: ItemReport, language: str) -> list[Why]:  # noqa: ARG001  the signature is given
    """Say nothing: a card is not judged."""
    return []
