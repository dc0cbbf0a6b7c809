"""All attempts of a learner, the newest first."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from quizzes.attempts.models import State
from quizzes.lib import clock
from quizzes.results.report import Summary
from quizzes.results.selectors import own_attempts, summaries
from quizzes.results.services import settle_own
from quizzes.web import pages, words
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
        "attempts": [past(one, request.LANGUAGE_CODE) for one in listed],
        "newer_url": _address(number - 1) if number else None,
        "older_url": _address(number + 1) if len(rows) > A_PAGE else None,
    }
    return render(request, "quizzes/taking/history.html", context)


def _number(text: str) -> int:
    """Read a page number; whatever is none is the first page."""
    known = text.isascii() and text.isdigit() and len(text) <= len(str(FURTHEST))
    return min(int(text), FURTHEST) if known else 0


def _address(number: int) -> str:
    return f"{reverse('history')}?page={number}" if number else reverse("history")


def past(one: Summary, lang: str) -> pages.PastResult:
    """Make a line of a list out of a summary."""
    score, is_open = one.score, one.state == State.OPEN
    return pages.PastResult(
        quiz_title=one.title_in(lang),
        lang=lang if one.title.get(lang) else one.source_language,
        number=one.number,
        started_at=one.started_at,
        submitted_at=one.submitted_at,
        state=one.state,
        percent=score.percent if score else None,
        total=words.figure(score.total) if score else "",
        maximum=words.figure(score.maximum) if score else "",
        passed=score.passed if score and not score.provisional else None,
        url=reverse("taking" if is_open else "result", args=[one.attempt]),
        corrupt=bool(one.problem),
    )
