"""A card to study by: front and hint are asked, the back waits for the result page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, ledger_messages
from quizzes.presentation.ledger_messages import safe_html
from quizzes.presentation.view_models import Fragment, LedgerRow, OptionRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = False
renders_prompt = False

interpretation = ledger_messages.no_interpretation

DEGREES: Mapping[str, str | Promise] = {
    "yes": _("I recalled it"),
    "partly": _("I recalled it in part"),
    "no": _("I did not recall it"),
}


@dataclass(frozen=True, slots=True)
class CardBack:
    """The back of a card, in the language it is written in."""

    html: SafeString | None
    lang: str


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return the degrees of recall to choose from, and the hint if the card has one."""
    recalled = KINDS[public_version.kind].public_view(public_version.content, ()).parts["recalled"]
    degrees = recalled if isinstance(recalled, list) else []
    return {
        "hint_html": public_version.words(language).texts.get("hint", ""),
        "degrees": [
            {
                "value": degree,
                "words": DEGREES[degree],
                "checked": fragments.placeholder(f"checked:{degree}"),
            }
            for degree in degrees
        ],
        "unanswered_checked": fragments.placeholder("checked:"),
    }


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return which placeholder is checked."""
    return {f"checked:{answer['recalled'] if answer else ''}": "checked"}


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return what was chosen; the empty choice takes the answer back."""
    chosen = posted.get(f"q-{slot}")
    return {"recalled": chosen} if chosen else None


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return how well the card was recalled."""
    return str(DEGREES[answer["recalled"]])


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the back as far as it may be shown, and the degree of recall chosen."""
    back = item.feedback.get("back")
    backs = [CardBack(safe_html(back), item.feedback_language)] if back else []
    return ReviewContent(
        {
            "back": [Fragment("quizzes/kinds/flashcard/back.html", row) for row in backs],
            "rows": [
                Fragment("partials/review_option.html", row)
                for row in _build_rows(item.answer, language)
            ],
        }
    )


def _build_rows(answer: Mapping[str, Any] | None, language: str) -> list[OptionRow]:
    if answer is None:
        return []
    return [
        OptionRow(
            html=escape(str(DEGREES[answer["recalled"]])),
            lang=language,
            chosen=True,
            state="",
            feedback_html=None,
            feedback_lang=language,
            earned=None,
        )
    ]


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return nothing: a card is not graded."""
    return []
