"""A few words, as they were typed."""

from collections.abc import Mapping
from typing import Any

from quizzes.bank.selectors import Paper


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:  # noqa: ARG001  given
    """Return it as it was typed."""
    return f"“{answer['text']}”"
