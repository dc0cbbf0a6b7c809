"""A few words, typed in a field; reviewed beside the words that would have been right."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.html import escape

from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, ledger_messages, typed_answer
from quizzes.presentation.excerpts import quote
from quizzes.presentation.ledger_messages import describe_lines
from quizzes.presentation.messages.comparison import describe_comparison
from quizzes.presentation.view_models import LedgerRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = False
renders_prompt = False

interpretation = ledger_messages.no_interpretation


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return how long the answer may be, how it is compared, and a placeholder for it."""
    parts = KINDS[public_version.kind].public_view(public_version.content, ()).parts
    return {
        "text": fragments.placeholder("text"),
        "maximum": parts["maximum"],
        "comparison": describe_comparison(public_version.content),
    }


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what was typed."""
    return {"text": escape(str((answer or {}).get("text", "")))}


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return what was typed; grading's kind knows what is blank."""
    return {"text": posted.get(f"q-{slot}-text", "")}


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return it as it was typed."""
    return quote(answer["text"])


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the text and, as far as revealed, whether it was right, and what would be."""
    answer = str(item.answer["text"]) if item.answer else ""
    expected = str(item.solution["text"]) if item.solution else None
    lang = item.public_version.words(language).language
    return typed_answer.build_review(item, answer, expected, lang)


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return whether it was among the accepted answers, and what that earned."""
    return describe_lines(item.ledger, {})
