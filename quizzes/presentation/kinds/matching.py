"""Pairs, as text."""

from collections.abc import Mapping
from typing import Any

from quizzes.bank.selectors import Paper
from quizzes.presentation.texts import excerpt


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:
    """Return each pair."""
    texts = paper.words(language).parts
    return "; ".join(
        f"“{excerpt(texts[left])}” → “{excerpt(texts[right])}”"
        for left, right in answer["pairs"].items()
    )
