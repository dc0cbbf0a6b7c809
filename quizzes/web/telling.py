"""What every kind is told with: a ledger put into words."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from grading.contract import Line
from quizzes.presentation.messages import reason
from quizzes.presentation.texts import excerpt
from quizzes.results.report import ItemReport
from quizzes.web import words
from quizzes.web.pages import Why


def read_as(answer: Mapping[str, Any], language: str) -> str:  # noqa: ARG001  given
    """Say nothing: what is chosen, and most of what is typed, can be read in one way only."""
    return ""


def why(item: ItemReport, language: str) -> list[Why]:
    """Put the ledger in words: which part, what became of it, what that earned."""
    return told(item.ledger, item.paper.words(language).parts)


def told(
    ledger: Iterable[Line], parts: Mapping[str, str], names: Mapping[str, str] | None = None
) -> list[Why]:
    """Say each line: a part by the beginning of its text (HTML), or by a name of ours (text)."""
    return [Why(_sentence(line, parts, names or {}), words.signed(line.earned)) for line in ledger]


def _sentence(line: Line, parts: Mapping[str, str], names: Mapping[str, str]) -> str:
    because = reason(line.reason)
    if line.part in names:
        return f"{names[line.part]}: {because}"
    return f"“{excerpt(parts[line.part])}”: {because}" if line.part in parts else because


def safe(html: str | None) -> SafeString | None:
    """Return HTML of an author, rendered by quizzes.lib.markup, to a template; None for nothing."""
    return mark_safe(html) if html else None  # noqa: S308  rendered by quizzes.lib.markup
