"""How each kind is asked, reviewed and told: a module each, found by the name of its kind."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast, runtime_checkable

from django.http import QueryDict

from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation.view_models import LedgerRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport


class PresentedKind(Protocol):
    """How a kind meets people: a module of the kind's name, with these names.

    Its templates are `quizzes/kinds/<kind>/form.html` and `review.html`.
    """

    shows_scoring_hint: bool  # whether a sentence beside the question says how it is scored
    renders_prompt: bool  # whether its templates render the prompt, with controls within it

    def template_context(self, public_version: PublicVersion, language: str) -> dict[str, Any]:
        """Return `question.form` of `form.html`, with placeholders for what was answered."""

    def placeholder_values(self, answer: Mapping[str, Any] | None) -> dict[str, str]:
        """Return the values of those placeholders, as safe HTML, None for unanswered.

        For a canonical answer, and also for whatever `parse_form` gave: what could not be read is
        shown again as it was typed, to be corrected.
        """

    def parse_form(self, posted: QueryDict, slot: int) -> Json:
        """Return the raw answer that a form brought; None for unanswered. Grading judges it."""

    def answer_text(
        self, public_version: PublicVersion, answer: Mapping[str, Any], language: str
    ) -> str:
        """Return a canonical answer as plain text, whole: it is escaped where it is shown."""

    def interpretation(self, answer: Mapping[str, Any], language: str) -> str:
        """Return how a canonical answer was read, where what was typed leaves that open; else "".

        A save is answered with it, for the element of `form.html` with `data-read-as`.
        """

    def build_review(self, item: QuestionReport, language: str) -> ReviewContent:
        """Return the answered question for `review.html`, of what the report allows."""

    def ledger_rows(self, item: QuestionReport, language: str) -> list[LedgerRow]:
        """Return its ledger in words."""


@runtime_checkable
class NamesParts(Protocol):
    """A kind whose answer has several parts may have names for them beside."""

    def part_name(self, public_version: PublicVersion, path: str, language: str) -> str:
        """Return the name of the part that a path leads to: "Gap 2"; "" if it leads to none."""


PRESENTED_KINDS: Mapping[str, PresentedKind] = {
    name: cast("PresentedKind", import_module(f"{__name__}.{name}")) for name in KINDS
}


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return a canonical answer to a question as plain text, by its kind."""
    return PRESENTED_KINDS[public_version.kind].answer_text(public_version, answer, language)
