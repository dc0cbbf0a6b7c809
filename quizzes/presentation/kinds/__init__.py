"""How each kind's answers are told as text: a module each, found by the name of its kind."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from grading.kinds import KINDS
from quizzes.bank.selectors import Paper


class PresentedKind(Protocol):
    """How a kind is told to everybody: a module of the kind's name, with these names."""

    def answer_text(self, paper: Paper, answer: Mapping[str, Any], language: str) -> str:
        """Return a canonical answer as plain text, whole: it is escaped where it is shown."""


PRESENTED_KINDS: Mapping[str, PresentedKind] = {
    name: cast("PresentedKind", import_module(f"{__name__}.{name}")) for name in KINDS
}


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:
    """Return a canonical answer to a question as plain text, by its kind."""
    return PRESENTED_KINDS[paper.kind].answer_text(paper, answer, language)
