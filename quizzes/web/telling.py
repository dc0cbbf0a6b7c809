"""What every kind is told with: the beginning of a text, and a ledger put into words."""

import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from grading.contract import Line
from quizzes.results.report import ItemReport
from quizzes.web import words
from quizzes.web.pages import Why

# Between blocks a space parts the words; the tags within a line leave the words as they stand.
_INLINE_TAG = re.compile(r"</?(?:a|code|del|em|s|span|strong|sub|sup)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
EXCERPT = 90


def excerpt(html: str) -> str:
    """Give the beginning of a text without its markup."""
    text = " ".join(unescape(_TAG.sub(" ", _INLINE_TAG.sub("", html))).split())
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"


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
    return [Why(_said(line, parts, names or {}), words.signed(line.earned)) for line in ledger]


def _said(line: Line, parts: Mapping[str, str], names: Mapping[str, str]) -> str:
    because = words.reason(line.reason)
    if line.part in names:
        return f"{names[line.part]}: {because}"
    return f"“{excerpt(parts[line.part])}”: {because}" if line.part in parts else because


def safe(html: str | None) -> SafeString | None:
    """Give HTML of an author, rendered by quizzes.lib.markup, to a template; None for nothing."""
    return mark_safe(html) if html else None  # noqa: S308  rendered by quizzes.lib.markup
