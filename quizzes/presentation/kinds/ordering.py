"""An order, as text."""

from collections.abc import Mapping
from typing import Any

from quizzes.bank.selectors import Paper
from quizzes.presentation.texts import excerpt


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:
    """Return the items in their order."""
    texts = paper.words(language).parts
    return ", ".join(
        f"{place}. “{excerpt(texts[id_])}”" for place, id_ in enumerate(answer["order"], 1)
    )
