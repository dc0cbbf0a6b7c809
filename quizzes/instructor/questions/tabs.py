"""The tabs of a question's pages that only some questions have."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from quizzes.bank.models import Question
from quizzes.results.response_analysis import has_typed_answers


@dataclass(frozen=True, slots=True)
class Tab:
    """A page beside those that every question has: its section, its title, its address."""

    section: str
    title: str
    address: str


def list_tabs(question: Question | None) -> list[Tab]:
    """Return the tabs of a question; none of one that is not saved yet."""
    if question is None:
        return []
    tabs = []
    if has_typed_answers(question):
        address = reverse("admin:results_typed_answers", args=[question.pk])
        tabs.append(Tab("typed_answers", _("Typed answers"), address))
    if question.current is not None and question.current.number > 1:
        address = reverse("admin:bank_question_regrades", args=[question.pk])
        tabs.append(Tab("regrades", _("Regrade"), address))
    return tabs
