"""The ledger of an answer in sentences, and what kinds without a word of their own say."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from grading.contract import LedgerLine
from quizzes.presentation.excerpts import excerpt, quote
from quizzes.presentation.formatting import format_signed_fraction
from quizzes.presentation.messages.attempts import describe_reason
from quizzes.presentation.view_models import LedgerRow
from quizzes.results.attempt_report import QuestionReport


def no_interpretation(answer: Mapping[str, Any], language: str) -> str:
    """Return "": what is chosen, and most of what is typed, can be read in one way only."""
    return ""


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return the ledger in words: which part, what became of it, what that earned."""
    return describe_lines(item.ledger, item.public_version.words(language).parts)


def describe_lines(
    ledger: Iterable[LedgerLine], texts: Mapping[str, str], names: Mapping[str, str] | None = None
) -> list[LedgerRow]:
    """Return a row a line: a part is called by the beginning of its HTML, or by a name of ours."""
    return [
        LedgerRow(_describe_line(line, texts, names or {}), format_signed_fraction(line.earned))
        for line in ledger
    ]


def _describe_line(line: LedgerLine, texts: Mapping[str, str], names: Mapping[str, str]) -> str:
    reason = describe_reason(line.reason)
    if line.part in names:
        return f"{names[line.part]}: {reason}"
    return f"{quote(excerpt(texts[line.part]))}: {reason}" if line.part in texts else reason


def safe_html(html: str | None) -> SafeString | None:
    """Return HTML of an author, rendered by quizzes.lib.markup, to a template; None for nothing."""
    return mark_safe(html) if html else None  # noqa: S308  rendered by quizzes.lib.markup
