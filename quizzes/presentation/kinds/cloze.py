"""Filled gaps, as text."""

from collections.abc import Mapping
from typing import Any

from quizzes.bank.selectors import Paper
from quizzes.presentation.gaps import gaps_of


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:
    """Return what stands in each gap that was filled."""
    gaps, answers = gaps_of(paper, language), answer["gaps"]
    return "; ".join(
        f"{gaps.name(id_)}: “{gaps.answer(answers[id_], language)}”"
        for id_ in gaps.numbers
        if id_ in answers
    )
