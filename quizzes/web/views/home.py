"""Home: what is in progress, what is due, open, later or over, and what was passed."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.guests import SESSION_GUEST
from accounts.invitation_acceptance import list_invitations
from accounts.join_codes import SESSION_CODE
from accounts.models import User
from quizzes.attempts import access, selectors
from quizzes.attempts.rules import StartEligibility, is_paused
from quizzes.attempts.selectors import AttemptView, CorruptAttemptView
from quizzes.lib import clock
from quizzes.practice.sample_question import find_sample_question
from quizzes.presentation.formatting import format_percent
from quizzes.presentation.messages.attempts import describe_refusal
from quizzes.publishing.models import Mode, Quiz, QuizVersion
from quizzes.publishing.policies import Policies
from quizzes.results.attempt_report import Score
from quizzes.results.selectors import load_quiz_grades
from quizzes.results.services import finish_overdue
from quizzes.study.progress import load_streak
from quizzes.study.selectors import has_cards, load_today
from quizzes.web import view_models
from quizzes.web.decorators import current_user, guests_allowed, login_required_page
from quizzes.web.views.landing import landing, list_open_quizzes

FEWEST_TO_SEARCH: Final = 9
"""From how many quizzes on the page offers to look for one by its title."""
LONGEST_SEARCH: Final = 100


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponseBase:
    """Show a learner their quizzes; a stranger what is open to them, and what they did of it."""
    show = _show_quizzes if request.user.is_authenticated else _show_to_stranger
    return show(request)


@guests_allowed
def _show_to_stranger(request: HttpRequest) -> HttpResponseBase:
    sample, quizzes = find_sample_question(), list_open_quizzes()
    is_guest = request.user.is_authenticated
    if sample is None and not is_guest and (not quizzes or request.method == "POST"):
        return _show_quizzes(request)
    return cast("HttpResponse", landing(request, sample, quizzes))


@login_required_page
@require_safe
def _show_quizzes(request: HttpRequest) -> HttpResponse:
    learner, now = current_user(request), clock.now()
    code = request.session.pop(SESSION_CODE, "")
    if code:  # they followed a link to a class, and have made an account since
        return redirect("join_class", code)
    finish_overdue(learner=learner, now=now)
    quizzes = access.list_takeable(learner)
    start_inputs = selectors.load_start_inputs_by_quiz(quizzes, learner)
    scores = {grade.quiz: grade.score for grade in load_quiz_grades(learner=learner, now=now)}
    open_attempts = selectors.load_open_attempts(learner)
    in_progress = {attempt_view.attempt.quiz_id for attempt_view in open_attempts}
    search = " ".join(request.GET.get("q", "").split())[:LONGEST_SEARCH]
    rows = [
        _build_row(
            quiz,
            quiz.current,
            start_inputs[quiz.pk].eligibility(Policies.from_json(quiz.current.policies), now),
            scores.get(quiz.uuid),
            request.LANGUAGE_CODE,
        )
        for quiz in quizzes
        if quiz.current is not None
        and quiz.pk not in in_progress
        and _matches(quiz.current.title, search)
    ]
    home_page = _group_rows(
        now,
        _open_attempt_rows(open_attempts, request.LANGUAGE_CODE, now),
        rows,
        search=search,
        has_search=bool(search) or len(quizzes) >= FEWEST_TO_SEARCH,
    )
    return render(
        request,
        "quizzes/pages/home.html",
        {
            "home": home_page,
            "invitations": list_invitations(learner, now=now),
            "study": _load_study(learner, now),
            "has_guest": SESSION_GUEST in request.session,
        },
    )


def _load_study(learner: User, now: datetime) -> view_models.StudySummary | None:
    """Return what is to be studied today; None, in one query, for who has no card."""
    if not has_cards(learner):
        return None
    today = load_today(learner, now)
    streak = load_streak(learner, today.settings, now)
    return view_models.StudySummary(
        cards=today.queue.count,
        mistakes=today.mistakes,
        done=today.done,
        due_tomorrow=today.queue.due_tomorrow,
        streak=streak.days,
        missed=streak.missed,
    )


def _matches(titles: Mapping[str, str], search: str) -> bool:
    """Return whether a title in some language has the text, whatever its case and accents."""
    return not search or any(_fold(search) in _fold(title) for title in titles.values())


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _group_rows(
    now: datetime,
    in_progress: list[view_models.OpenAttemptRow],
    rows: Sequence[view_models.QuizRow],
    *,
    search: str,
    has_search: bool,
) -> view_models.HomePage:
    open_rows = [row for row in rows if not row.passed]
    startable = [row for row in open_rows if not (row.opens_at or row.next_opens_at or row.waiting)]
    due = [(row.closes_at, row) for row in startable if row.closes_at]
    later = [
        (opens_at, row) for row in open_rows if (opens_at := row.opens_at or row.next_opens_at)
    ]
    return view_models.HomePage(
        now=now,
        in_progress=in_progress,
        due=_sort_by_time(due),
        available=[row for row in startable if not row.closes_at],
        later=_sort_by_time(later),
        closed=[row for row in open_rows if row.waiting],
        passed=[row for row in rows if row.passed],
        search=search,
        has_search=has_search,
    )


def _sort_by_time(
    rows: Iterable[tuple[datetime, view_models.QuizRow]],
) -> list[view_models.QuizRow]:
    return [row for _, row in sorted(rows, key=lambda timed: timed[0])]


def _build_row(
    quiz: Quiz,
    quiz_version: QuizVersion,
    eligibility: StartEligibility,
    best: Score | None,
    lang: str,
) -> view_models.QuizRow:
    title = quiz_version.title.get(lang)
    is_first = eligibility.code == "not_open_yet"
    opens_at = None if eligibility.allowed else eligibility.available_at
    return view_models.QuizRow(
        title=title or quiz_version.title.get(quiz_version.source_language, ""),
        lang=lang if title else quiz_version.source_language,
        intro_url=reverse("intro", args=[quiz.slug]),
        questions=quiz_version.question_count,
        pass_mark=format_percent(quiz_version.threshold),
        attempts_left=eligibility.attempts_left,
        opens_at=opens_at if is_first else None,
        next_opens_at=None if is_first else opens_at,
        closes_at=eligibility.window.closes_at if eligibility.window else None,
        waiting=_reason_to_wait(eligibility),
        best_percent=best.percent if best else None,
        passed=bool(best and best.passed),
        is_practice=quiz_version.policies.get("mode") == Mode.PRACTICE,
    )


def _reason_to_wait(eligibility: StartEligibility) -> str:
    return (
        ""
        if eligibility.allowed or eligibility.available_at
        else describe_refusal(eligibility.code)
    )


def _open_attempt_rows(
    attempt_views: Iterable[AttemptView | CorruptAttemptView], lang: str, now: datetime
) -> list[view_models.OpenAttemptRow]:
    return [
        _open_attempt_row(attempt_view, lang, now)
        if isinstance(attempt_view, AttemptView)
        else _corrupt_attempt_row(attempt_view, lang)
        for attempt_view in attempt_views
    ]


def _open_attempt_row(
    attempt_view: AttemptView, lang: str, now: datetime
) -> view_models.OpenAttemptRow:
    title, title_lang = attempt_view.manifest.title_in(lang)
    return view_models.OpenAttemptRow(
        quiz_title=title,
        lang=title_lang,
        url=reverse("attempt", args=[attempt_view.attempt.uuid]),
        answered=attempt_view.answered,
        count=len(attempt_view.public_versions),
        saved_at=attempt_view.saved_at,
        deadline_at=attempt_view.attempt.deadline_at,
        is_paused=is_paused(attempt_view.attempt.paused_until, now),
    )


def _corrupt_attempt_row(attempt_view: CorruptAttemptView, lang: str) -> view_models.OpenAttemptRow:
    """Return an attempt that cannot be read, with the title that its quiz has now."""
    quiz = attempt_view.attempt.quiz
    title = quiz.title.get(lang)
    return view_models.OpenAttemptRow(
        quiz_title=title or str(quiz),
        lang=lang if title else quiz.source_language,
        url="",
        answered=0,
        count=0,
        saved_at=None,
        deadline_at=attempt_view.attempt.deadline_at,
        corrupt=True,
    )
