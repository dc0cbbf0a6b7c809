"""A number, typed in a field; what could be two numbers is read by the language of the page."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from grading.json_types import Json
from grading.kinds import KINDS
from grading.numeric.numerals import MAX_LENGTH
from grading.numeric.structure import NONE, NUMBER, OPTIONAL, REQUIRED
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, number_questions, typed_answer
from quizzes.presentation.ledger_messages import describe_lines
from quizzes.presentation.view_models import LedgerRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = False
renders_prompt = False

UNITS: Mapping[str, str | Promise] = {
    NONE: _("Write the number alone, without a unit."),
    OPTIONAL: _("A unit after the number is welcome, but not needed."),
    REQUIRED: _("Write the unit after the number."),
}


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return the unit, the language to type in, and placeholders for what was typed."""
    unit = KINDS[public_version.kind].public_view(public_version.content, ()).parts["unit"]
    return {
        "unit": UNITS[str(unit)],
        "page": language,
        "longest": MAX_LENGTH,
        "typed": fragments.placeholder("typed"),
        "language": fragments.placeholder("language"),
        "interpretation": fragments.placeholder("interpretation"),
        "ask": number_questions.placeholders(),
    }


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what was typed, and how it was read where it could be read otherwise."""
    page, typed = get_language() or "", str((answer or {}).get("typed", ""))
    language = str((answer or {}).get("language", page)) if typed else page
    return {
        "typed": escape(typed),
        "language": escape(language),
        "interpretation": escape(interpretation(answer, page))
        if answer and "number" in answer
        else "",
        **number_questions.placeholder_values(answer or {}),
    }


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return what was typed: as it stands in its own language, else in that of the page."""
    return number_questions.parse_number(posted, f"q-{slot}")


def interpretation(answer: Mapping[str, Any], language: str) -> str:
    """Return how a canonical answer was read, where its typed form leaves that open; else ""."""
    return capfirst(number_questions.describe_reading(answer, language))


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return it as it was typed, with how it was read where that is open."""
    return number_questions.answer_with_reading(answer, language)


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the number with how it was read, and as far as revealed the right one."""
    answer = number_questions.answer_with_reading(item.answer or {}, language)
    expected = (
        number_questions.format_correct_answer(item.solution, language) if item.solution else None
    )
    return typed_answer.build_review(item, answer, expected, language)


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return which number was met, or that none was, and what the unit cost."""
    return describe_lines(item.ledger, {}, {NUMBER: gettext("The number by itself")})
