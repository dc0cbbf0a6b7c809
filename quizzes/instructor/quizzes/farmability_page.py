"""The page that says what a quiz yields to who knows nothing, with a warning where that passes."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from quizzes.attempts.guessing_figures import (
    GuessingFigures,
    HarvestedAttempt,
    load_guessing_figures,
)
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.instructor.permissions import current_user
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.lib.errors import NotFound, Refused
from quizzes.presentation.formatting import format_percent
from quizzes.presentation.messages.memorised_pass import DISCLOSURES
from quizzes.publishing.memorised_pass import PRACTICE
from quizzes.publishing.models import Quiz


@dataclass(frozen=True, slots=True)
class Farmability:
    """What each way without knowledge reaches, in words, and what to be warned of.

    `attempts`: number, mean share and chance to pass of who memorises what is shown, then the
    chance if the quiz drew from larger pools. `disclosure`, `learners`: as `GuessingFigures` has
    them.
    """

    rows: tuple[tuple[str, str], ...]
    attempts: tuple[tuple[int, tuple[str, ...]], ...]
    warnings: tuple[str, ...]
    disclosure: str
    learners: int


def describe_figures(figures: GuessingFigures) -> Farmability:
    """Return the figures of a quiz in words."""
    rows = (
        (_("Ticking everything"), figures.select_all),
        (_("Random answers"), figures.random_guess),
    )
    return Farmability(
        tuple((label, format_percent(share, decimals=1)) for label, share in rows),
        tuple((attempt.number, _format_shares(attempt)) for attempt in figures.attempts),
        tuple(_list_warnings(figures)),
        figures.disclosure,
        figures.learners,
    )


def _format_shares(attempt: HarvestedAttempt) -> tuple[str, ...]:
    shares = (attempt.mean, attempt.passing, *attempt.passing_by_pool)
    return tuple(format_percent(Fraction(share), decimals=0) for share in shares)


def _list_warnings(figures: GuessingFigures) -> Iterator[str]:
    if figures.select_all >= figures.threshold:
        yield _("Whoever ticks everything passes. Choose a scoring that takes points for it.")
    if figures.random_guess >= figures.threshold:
        yield _("Random answers pass on average. Raise the pass mark, or change the questions.")
    if figures.certain_attempt is not None:
        yield _(
            "Whoever memorises what is shown passes for certain in attempt %(number)s. Show it"
            " later, allow fewer attempts, or draw from more questions."
        ) % {"number": figures.certain_attempt}


def show_farmability(admin: Any, request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Show what the draft yields, to who edits the quiz and every bank that it draws from."""
    if not admin.has_change_permission(request, quiz):
        raise Http404
    is_too_large, figures = False, None
    try:
        figures = load_guessing_figures(quiz=quiz, viewer=current_user(request))
    except NotFound:
        raise Http404 from None
    except Refused:
        is_too_large = True
    # How many options are right can be read from the figures.
    record(AuditCode.KEYS_VIEWED, about=quiz, once=True)
    context = {
        **build_quiz_tabs(quiz, "guessing", may_edit=True),
        "farmability": describe_figures(figures) if figures else None,
        "practice_warning": DISCLOSURES[PRACTICE] if quiz.practice_shows_keys else "",
        "is_too_large": is_too_large,
        "pass_mark": format_percent(Fraction(quiz.pass_percent) / 100),
    }
    title = _("Guessing in %(quiz)s") % {"quiz": quiz}
    response: HttpResponse = admin.render_page(
        request, "publishing/quiz/farmability", context, title=title, page_name=_("Guessing")
    )
    return response
