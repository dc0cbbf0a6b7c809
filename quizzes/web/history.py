"""All attempts of a learner, the newest first."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from quizzes.attempts.models import State
from quizzes.lib import clock
from quizzes.presentation.formatting import format_points
from quizzes.results.report import Summary
from quizzes.results.selectors import own_attempts, summaries
from quizzes.results.services import settle_own
from quizzes.web import view_models
from quizzes.web.gate import page, person

A_PAGE = 25
FURTHEST = 10_000
"""Nobody has more pages; a greater number is a mistake."""


@page
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Show a page of one's own attempts."""
    learner, now = person(request), clock.now()
    settle_own(learner=learner, now=now)
    number = _number(request.GET.get("page", ""))
    first = number * A_PAGE
    mine = own_attempts(learner).order_by("-started_at", "-pk")
    rows = list(mine[first : first + A_PAGE + 1])
    listed = summaries(rows[:A_PAGE], learner, now)
    context = {
        "attempts": [past(summary, request.LANGUAGE_CODE) for summary in listed],
        "newer_url": _address(number - 1) if number else None,
        "older_url": _address(number + 1) if len(rows) > A_PAGE else None,
    }
    return render(request, "quizzes/pages/history.html", context)


def _number(text: str) -> int:
    """Return a page number; anything else is the first page."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(FURTHEST))
    return min(int(text), FURTHEST) if is_number else 0


def _address(number: int) -> str:
    return f"{reverse('history')}?page={number}" if number else reverse("history")


def past(summary: Summary, lang: str) -> view_models.PastResult:
    """Return the line of a list for a summary."""
    score, is_open = summary.score, summary.state == State.OPEN
    return view_models.PastResult(
        quiz_title=summary.title_in(lang),
        lang=lang if summary.title.get(lang) else summary.source_language,
        number=summary.number,
        started_at=summary.started_at,
        submitted_at=summary.submitted_at,
        state=summary.state,
        percent=score.percent if score else None,
        total=format_points(score.total) if score else "",
        maximum=format_points(score.maximum) if score else "",
        passed=score.passed if score and not score.provisional else None,
        url=reverse("taking" if is_open else "result", args=[summary.attempt]),
        corrupt=bool(summary.problem),
    )
