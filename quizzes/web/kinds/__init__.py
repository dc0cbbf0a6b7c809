"""How kinds are asked in a page: a module each, found by the name the core registers it under."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast, runtime_checkable

from django.http import QueryDict

from grading.contract import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import Paper
from quizzes.results.report import ItemReport
from quizzes.web.pages import Review, Why


class WebKind(Protocol):
    """How a kind meets people: a module of the kind's name, with these names.

    Its templates are `quizzes/kinds/<kind>/ask.html` and `review.html`.
    """

    shows_scoring_hint: bool  # whether its scoring method is worth a sentence beside the question
    draws_prompt: bool  # whether its templates draw the prompt: controls may stand within it then

    def form(self, paper: Paper, language: str) -> dict[str, Any]:
        """Return `ask.html` its `question.form`, with gaps (moulds.py) for what was answered."""

    def filled(self, answer: Mapping[str, Any] | None) -> dict[str, str]:
        """Return the values of those gaps, as safe HTML, None for unanswered.

        For a canonical answer, and also for whatever `read` gave: what could not be read is
        shown again as it was typed, to be corrected.
        """

    def read(self, posted: QueryDict, slot: int) -> Json:
        """Read the answer that a form brought; None for unanswered. It is judged elsewhere."""

    def in_words(self, paper: Paper, answer: Mapping[str, Any], language: str) -> str:
        """Say what a canonical answer was."""

    def read_as(self, answer: Mapping[str, Any], language: str) -> str:
        """Say how a canonical answer was read, where what was typed leaves that open; else "".

        What a save is told with, for the element of `ask.html` with `data-read-as`.
        """

    def review(self, item: ItemReport, language: str) -> Review:
        """Lay out the answered question for `review.html`, of what the report allows."""

    def why(self, item: ItemReport, language: str) -> list[Why]:
        """Put its ledger in words."""


@runtime_checkable
class NamesPlaces(Protocol):
    """A kind whose answer has several parts may have names for them beside."""

    def place(self, paper: Paper, path: str, language: str) -> str:
        """Name the part of the answer that a path leads to: "Gap 2"; "" if it leads to none."""


WEB_KINDS: Mapping[str, WebKind] = {
    name: cast("WebKind", import_module(f"{__name__}.{name}")) for name in KINDS
}
