"""A few words, typed in a field; looked back on beside the words that would have been right."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.safestring import mark_safe

from grading.contract import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import Paper
from quizzes.presentation import fragments, ledger_messages
from quizzes.presentation.ledger_messages import describe_lines
from quizzes.presentation.view_models import AnswerRow, Fragment, LedgerRow, ReviewContent
from quizzes.results.report import ItemReport

shows_scoring_hint = False
renders_prompt = False

interpretation = ledger_messages.no_interpretation


def template_context(paper: Paper, language: str) -> dict[str, Any]:
    """Return how long the answer may be, and a gap for it."""
    parts = KINDS[paper.kind].present(paper.content, ()).parts
    return {"text": fragments.placeholder("text"), "maximum": parts["maximum"]}


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Put in what was typed."""
    return {"text": escape(str((answer or {}).get("text", "")))}


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Read what was typed; grading's kind knows what is blank."""
    return {"text": posted.get(f"q-{slot}-text", "")}


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:
    """Return it as it was typed."""
    return f"“{answer['text']}”"


def build_review(item: ItemReport, language: str) -> ReviewContent:
    """Lay out what was typed and, as far as revealed, whether it was right, and what would be."""
    row = _row(item, item.paper.words(language).language)
    return ReviewContent({"rows": [Fragment("partials/review_answer.html", row)]})


def _row(item: ItemReport, language: str) -> AnswerRow:
    feedback = "".join(item.feedback.values())
    return AnswerRow(
        label="",
        answer=str(item.answer["text"]) if item.answer else "",
        lang=language,
        state=item.outcome if item.outcome in {"right", "partly", "wrong"} else "",
        expected=str(item.solution["text"]) if item.solution else None,
        feedback_html=mark_safe(feedback) if feedback else None,  # noqa: S308  rendered by quizzes.lib.markup
        feedback_lang=item.feedback_language,
        earned=None,
    )


def ledger_rows(item: ItemReport, language: str) -> list[LedgerRow]:
    """Say whether it was among the accepted answers, and what that earned."""
    return describe_lines(item.ledger, {})
