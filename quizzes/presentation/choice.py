"""Options that were chosen, as text: what the kinds with options share."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from grading.choice.structure import NONE_APPLY
from quizzes.bank.selectors import Paper
from quizzes.presentation.texts import excerpt


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:
    """Return what was chosen."""
    if answer[NONE_APPLY]:
        return gettext("None of these applies")
    texts = paper.words(language).parts
    return ", ".join(f"“{excerpt(texts[id_])}”" for id_ in answer["chosen"])
