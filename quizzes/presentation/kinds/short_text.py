"""A few words, typed in a field; reviewed beside the words that would have been right."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.text import capfirst
from django.utils.translation import get_language

from grading.json_types import Json
from grading.kinds import KINDS
from grading.short_text.structure import parse_folding
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, number_questions, typed_answer
from quizzes.presentation.excerpts import quote
from quizzes.presentation.ledger_messages import describe_lines
from quizzes.presentation.messages.comparison import describe_comparison
from quizzes.presentation.text_answers import format_text_answer, format_text_solution
from quizzes.presentation.view_models import LedgerRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = False
renders_prompt = False


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return how long the answer may be, how it is compared, and placeholders for it.

    Where numbers are compared, the language that they are typed in is sent along.
    """
    parts = KINDS[public_version.kind].public_view(public_version.content, ()).parts
    return {
        "text": fragments.placeholder("text"),
        "maximum": parts["maximum"],
        "comparison": describe_comparison(public_version.content),
        "by_value": parse_folding(public_version.content)[0].by_value,
        "page": language,
        "language": fragments.placeholder("language"),
        "interpretation": fragments.placeholder("interpretation"),
        "ask": number_questions.placeholders(),
    }


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what was typed, and how a number was read where it could be read otherwise."""
    page, response = get_language() or "", answer or {}
    return {
        "text": escape(number_questions.get_typed_text(response)),
        "language": escape(str(response.get("language", page))),
        "interpretation": escape(interpretation(response, page)),
        **number_questions.placeholder_values(response),
    }


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return what was typed; grading's kind knows what is blank."""
    field = f"q-{slot}"
    if f"{field}-page" in posted:
        return number_questions.parse_number(posted, field, "text")
    return {"text": posted.get(f"{field}-text", "")}


def interpretation(answer: Mapping[str, Any], language: str) -> str:
    """Return how a number was read, where its typed form leaves that open; else ""."""
    return capfirst(number_questions.describe_reading(answer, language))


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return it as it was typed, and how a number was read where that is open."""
    return quote(format_text_answer(answer, public_version.content, language))


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the text and, as far as revealed, whether it was right, and what would be."""
    content, expected = item.public_version.content, None
    answer = format_text_answer(item.answer, content, language) if item.answer else ""
    if item.solution:
        expected = format_text_solution(item.solution, content, language)
    lang = item.public_version.words(language).language
    return typed_answer.build_review(item, answer, expected, lang)


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return whether it was among the accepted answers, and what that earned."""
    return describe_lines(item.ledger, {})
