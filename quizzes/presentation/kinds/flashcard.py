"""How well a card was recalled, as text."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quizzes.bank.selectors import Paper

DEGREES: Mapping[str, str | Promise] = {
    "yes": _("I recalled it"),
    "partly": _("I recalled it in part"),
    "no": _("I did not recall it"),
}


def answer_text(paper: Paper, answer: Mapping[str, Any], language: str) -> str:  # noqa: ARG001  given
    """Return how well the card was recalled."""
    return str(DEGREES[answer["recalled"]])
