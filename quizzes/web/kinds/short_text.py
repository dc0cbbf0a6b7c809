"""A few words, typed in a field; looked back on beside the words that would have been right."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.safestring import mark_safe

from grading.contract import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import Paper
from quizzes.presentation.kinds import short_text as presented
from quizzes.results.report import ItemReport
from quizzes.web import moulds, telling
from quizzes.web.pages import Given, Piece, Review, Why
from quizzes.web.telling import told

shows_scoring_hint = False
draws_prompt = False

read_as = telling.read_as
in_words = presented.answer_text


def form(paper: Paper, language: str) -> dict[str, Any]:  # noqa: ARG001  the signature is given
    """Return how long the answer may be, and a gap for it."""
    parts = KINDS[paper.kind].present(paper.content, ()).parts
    return {"text": moulds.gap("text"), "maximum": parts["maximum"]}


def filled(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Put in what was typed."""
    return {"text": escape(str((answer or {}).get("text", "")))}


def read(posted: QueryDict, slot: int) -> Json:
    """Read what was typed; grading's kind knows what is blank."""
    return {"text": posted.get(f"q-{slot}-text", "")}


def review(item: ItemReport, language: str) -> Review:
    """Lay out what was typed and, as far as revealed, whether it was right, and what would be."""
    row = _row(item, item.paper.words(language).language)
    return Review({"rows": [Piece("partials/review_given.html", row)]})


def _row(item: ItemReport, language: str) -> Given:
    feedback = "".join(item.feedback.values())
    return Given(
        label="",
        answer=str(item.answer["text"]) if item.answer else "",
        lang=language,
        state=item.outcome if item.outcome in {"right", "partly", "wrong"} else "",
        expected=str(item.solution["text"]) if item.solution else None,
        feedback_html=mark_safe(feedback) if feedback else None,  # noqa: S308  rendered by quizzes.lib.markup
        feedback_lang=item.feedback_language,
        earned=None,
    )


def why(item: ItemReport, language: str) -> list[Why]:  # noqa: ARG001  the signature is given
    """Say whether it was among the accepted answers, and what that earned."""
    return told(item.ledger, {})
