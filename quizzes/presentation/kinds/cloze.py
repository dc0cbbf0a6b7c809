"""Filled gaps, as text."""

from collections.abc import Mapping
from typing import Any

from quizzes.bank.selectors import Paper
from quizzes.presentation.gaps import gaps_of


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:
    """Return what stands in each gap that was filled."""
    found, given = gaps_of(paper, language), answer["gaps"]
    return "; ".join(
        f"{found.name(id_)}: “{found.answer(given[id_], language)}”"
        for id_ in found.numbers
        if id_ in given
    )
