"""A text of one's own, whole."""

from collections.abc import Mapping
from typing import Any

from quizzes.bank.selectors import Paper


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:  # noqa: ARG001  given
    """Return it as it was written."""
    return str(answer["text"])
