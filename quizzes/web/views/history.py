"""All attempts of a learner, the newest first."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from quizzes.attempts.models import Attempt, State
from quizzes.certificates.selectors import list_certified_attempts
from quizzes.course_grades.selectors import OwnCourseTotal, load_own_course_totals
from quizzes.lib import clock
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.formatting import format_points
from quizzes.presentation.messages.course_grades import describe_rule
from quizzes.results.attempt_report import AttemptSummary
from quizzes.results.selectors import list_kept_attempts, list_own_attempts, load_summaries
from quizzes.results.services import finish_overdue
from quizzes.web import view_models
from quizzes.web.decorators import current_user, login_required_page

PAGE_SIZE = 25
MAX_PAGE = 10_000
"""Nobody has more pages; a greater number is a mistake."""


@login_required_page
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Show a page of one's own attempts."""
    learner, now = current_user(request), clock.now()
    finish_overdue(learner=learner, now=now)
    number = parse_count(request.GET.get("page", ""), maximum=MAX_PAGE)
    first = number * PAGE_SIZE
    mine = list_own_attempts(learner).order_by("-started_at", "-pk")
    rows = list(mine[first : first + PAGE_SIZE + 1])
    listed = load_summaries(rows[:PAGE_SIZE], learner, now)
    passed = [row.attempt for row in listed if row.score and row.score.passed]
    certificates = list_certified_attempts(passed, learner) if passed else {}
    kept_rows = list_kept_attempts(learner).order_by("-started_at", "-pk")[:PAGE_SIZE]
    guest_rows = [] if number else _build_kept_rows(kept_rows, request.LANGUAGE_CODE, now)
    context = {
        "kept": guest_rows,
        "attempts": [
            build_attempt_row(
                summary, request.LANGUAGE_CODE, certificate=certificates.get(summary.attempt)
            )
            for summary in listed
        ],
        "course_totals": [
            build_course_total(total)
            for total in load_own_course_totals(learner=learner, now=now)
            if not number
        ],
        "newer_url": _page_url(number - 1) if number else None,
        "older_url": _page_url(number + 1) if len(rows) > PAGE_SIZE else None,
    }
    return render(request, "quizzes/pages/history.html", context)


def _build_kept_rows(
    rows: Iterable[Attempt], lang: str, now: datetime
) -> list[view_models.AttemptRow]:
    """Return what was done without an account and kept, with what its guest may see of it."""
    by_guest: dict[User, list[Attempt]] = {}
    for row in rows:
        by_guest.setdefault(row.learner, []).append(row)
    return [
        row
        for guest, attempts in by_guest.items()
        for row in build_rows_of_guest(attempts, guest, lang, now)
    ]


def build_rows_of_guest(
    rows: Iterable[Attempt], guest: User, lang: str, now: datetime
) -> list[view_models.AttemptRow]:
    """Return attempts of a guest as lines of a list, with what the guest may see of them."""
    return [build_attempt_row(summary, lang) for summary in load_summaries(rows, guest, now)]


def build_course_total(total: OwnCourseTotal) -> view_models.CourseTotalRow:
    """Return one's total in a class in words."""
    score = total.total.score if total.total else None
    return view_models.CourseTotalRow(
        group=total.group.name,
        percent=score.percent if score else "",
        passed=score.passed if score and not score.provisional else None,
        hidden=total.total is None,
        sentence=describe_rule(total.rule),
    )


def _page_url(number: int) -> str:
    return f"{reverse('history')}?page={number}" if number else reverse("history")


def build_attempt_row(
    summary: AttemptSummary, lang: str, *, certificate: UUID | None = None
) -> view_models.AttemptRow:
    """Return the line of a list for a summary, with its certificate if it has one."""
    score, is_open = summary.score, summary.state == State.OPEN
    return view_models.AttemptRow(
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
        url=reverse("attempt" if is_open else "result", args=[summary.attempt]),
        corrupt=bool(summary.problem),
        is_staff_attempt=summary.is_staff_attempt,
        certificate_url=reverse("certificate", args=[certificate]) if certificate else "",
    )
