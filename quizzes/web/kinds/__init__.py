"""The register of how kinds are asked in a page: one line a kind."""

from collections.abc import Mapping
from typing import Any, Protocol

from django.http import QueryDict

from grading.contract import Json
from quizzes.bank.selectors import Paper
from quizzes.results.report import ItemReport
from quizzes.web.kinds import (
    cloze,
    essay,
    flashcard,
    matching,
    multiple_choice,
    numeric,
    ordering,
    short_text,
    single_choice,
    true_false,
)
from quizzes.web.pages import Review, Why


class WebKind(Protocol):
    """How a kind meets people: a module with these names, registered by one line below.

    Its templates are `quizzes/kinds/<kind>/ask.html` and `review.html`.
    """

    says_scheme: bool  # whether its scheme is worth a sentence beside the question
    draws_prompt: bool  # whether its templates draw the prompt: controls may stand within it then

    def form(self, paper: Paper, language: str) -> dict[str, Any]:
        """Give `ask.html` its `question.form`, with gaps (moulds.py) for what was answered."""

    def filled(self, answer: Mapping[str, Any] | None) -> dict[str, str]:
        """Give the values of those gaps, as safe HTML, None for unanswered.

        For a canonical answer, and also for whatever `read` gave: what could not be read is
        shown again as it was typed, to be corrected.
        """

    def read(self, posted: QueryDict, slot: int) -> Json:
        """Read the answer that a form brought; None for unanswered. It is judged elsewhere."""

    def in_words(self, paper: Paper, answer: Mapping[str, Any], language: str) -> str:
        """Say what a canonical answer was."""

    def review(self, item: ItemReport, language: str) -> Review:
        """Lay out the answered question for `review.html`, of what the report allows."""

    def why(self, item: ItemReport, language: str) -> list[Why]:
        """Put its ledger in words."""


WEB_KINDS: Mapping[str, WebKind] = {
    "single_choice": single_choice,
    "multiple_choice": multiple_choice,
    "true_false": true_false,
    "short_text": short_text,
    "numeric": numeric,
    "matching": matching,
    "ordering": ordering,
    "cloze": cloze,
    "essay": essay,
    "flashcard": flashcard,
}
