"""The page before a quiz: everything one should know, and one button."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast
from uuid import UUID

from allauth.decorators import rate_limit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import remember_guest
from accounts.models import User
from accounts.zones import browser_zone
from quizzes.attempts import access, selectors, services
from quizzes.attempts.guest_attempts import start_as_guest
from quizzes.attempts.key_access import can_see_answers
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.rules import StartEligibility
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.markup import render as markup
from quizzes.presentation.formatting import format_percent
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.messages.attempts import (
    describe_attempt_limits,
    describe_refusal,
    describe_reveal,
    describe_scoring_method,
    describe_single_answer_scoring,
    describe_taking_rules,
)
from quizzes.presentation.scoring_hint import describe_scoring
from quizzes.publishing.blueprint import CandidateQuestion
from quizzes.publishing.models import Mode, Quiz
from quizzes.publishing.selectors import (
    LoadedQuizVersion,
    effective_scoring_method,
    load_quiz_version,
)
from quizzes.results.attempt_report import AttemptSummary
from quizzes.results.selectors import list_own_attempts, load_summaries
from quizzes.results.services import finish_overdue
from quizzes.web import view_models
from quizzes.web.decorators import current_user, guests_allowed, login_required_page
from quizzes.web.views.history import build_attempt_row

MAX_RESULTS = 10
"""Earlier results on the page; the rest is in the history."""

ALL_OR_NOTHING = "all_or_nothing"

_intros: FrozenCache[tuple[UUID, str], str] = FrozenCache(500)


@guests_allowed
@require_safe
def intro(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show what one should know before beginning; to a stranger where the quiz is open to them."""
    if not request.user.is_authenticated:
        quiz = access.open_to_anyone().select_related("current").filter(slug=slug).first()
        if quiz is not None and quiz.current is not None:
            return _show_to_stranger(request, quiz, load_quiz_version(quiz.current))
    return _show_intro(request, slug)


def _show_to_stranger(
    request: HttpRequest, quiz: Quiz, quiz_version: LoadedQuizVersion
) -> HttpResponse:
    inputs = selectors.build_start_inputs_of_guest(quiz)
    eligibility = inputs.eligibility(quiz_version.policies, clock.now())
    quiz_page = _build_page(quiz_version, quiz.slug, eligibility, [], request.LANGUAGE_CODE)
    return render(request, "quizzes/pages/intro.html", {"quiz": quiz_page})


@login_required_page
def _show_intro(request: HttpRequest, slug: str) -> HttpResponse:
    learner, now, lang = current_user(request), clock.now(), request.LANGUAGE_CODE
    finish_overdue(learner=learner, now=now)
    quiz = _load_quiz(learner, slug)
    if quiz.current is None:
        raise NotFound
    quiz_version = load_quiz_version(quiz.current)
    entry = selectors.load_start_inputs(quiz, learner)
    rows = list_own_attempts(learner).filter(quiz=quiz).order_by("-number")
    listed = load_summaries(rows[:MAX_RESULTS], learner, now)
    eligibility = entry.eligibility(quiz_version.policies, now)
    quiz_page = replace(
        _build_page(quiz_version, slug, eligibility, listed, lang),
        would_be_staff_attempt=can_see_answers(
            learner, quiz, quiz_version.id, has_opened_keys=entry.has_opened_keys
        ),
    )
    return render(request, "quizzes/pages/intro.html", {"quiz": quiz_page})


def _load_quiz(learner: User, slug: str) -> Quiz:
    quiz = access.takeable_by(learner).select_related("current").filter(slug=slug).first()
    if quiz is None:
        raise NotFound
    return quiz


def _build_page(
    quiz_version: LoadedQuizVersion,
    slug: str,
    eligibility: StartEligibility,
    attempts: Sequence[AttemptSummary],
    lang: str,
) -> view_models.IntroPage:
    title = quiz_version.title.get(lang)
    opened = next((summary for summary in attempts if summary.state == State.OPEN), None)
    return view_models.IntroPage(
        title=title or quiz_version.title.get(quiz_version.source_language, ""),
        lang=lang if title else quiz_version.source_language,
        intro_html=_render_intro(quiz_version, lang),
        question_count=quiz_version.question_count,
        pass_mark=format_percent(quiz_version.threshold),
        time_limit_minutes=quiz_version.policies.time_limit_minutes,
        scoring_methods=_describe_scoring_methods(quiz_version),
        attempts_left=eligibility.attempts_left,
        pace=describe_attempt_limits(quiz_version.policies),
        next_opens_at=None if eligibility.allowed else eligibility.available_at,
        closes_at=eligibility.window.closes_at if eligibility.window else None,
        refusal="" if eligibility.allowed else describe_refusal(eligibility.code),
        reveal=describe_reveal(quiz_version.policies.reveal),
        taking_rules=describe_taking_rules(quiz_version.policies),
        open_attempt_url=reverse("attempt", args=[opened.attempt]) if opened else None,
        start_url=reverse("start", args=[slug]),
        results=[
            build_attempt_row(summary, lang) for summary in attempts if summary.state != State.OPEN
        ],
        would_be_staff_attempt=False,
        practice_url=reverse("practice", args=[slug])
        if quiz_version.policies.mode == Mode.PRACTICE and eligibility.allowed
        else "",
    )


def _describe_scoring_methods(quiz_version: LoadedQuizVersion) -> list[str]:
    """Return how questions are scored; one sentence for all where all or nothing is no surprise."""
    sentences = (
        _describe_candidate(choice, effective_scoring_method(choice, quiz_version.policies))
        for place in quiz_version.items
        for choice in place.candidates
    )
    return list(dict.fromkeys(sentences))


def _describe_candidate(choice: CandidateQuestion, scoring_method: str) -> str:
    """Return how one question is scored; never ""."""
    if scoring_method == ALL_OR_NOTHING and not PRESENTED_KINDS[choice.kind].shows_scoring_hint:
        return describe_single_answer_scoring()
    hint = describe_scoring(choice.kind, scoring_method, choice.content)
    return hint or describe_scoring_method(scoring_method)


def _render_intro(quiz_version: LoadedQuizVersion, lang: str) -> str:
    """Render the introduction once a quiz version and language."""
    text = (
        quiz_version.intro.get(lang) or quiz_version.intro.get(quiz_version.source_language) or ""
    )
    key = (quiz_version.uuid, lang)
    return _intros.get_many([key], lambda _: {key: markup(text) if text else ""})[key]


@guests_allowed
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Start, or resume what is open; where the rules say no, say why.

    A stranger becomes a guest where the quiz is open to them.
    """
    if not request.user.is_authenticated:
        quiz = access.open_to_anyone().filter(slug=slug).first()
        if quiz is not None:
            return cast("HttpResponse", _start_as_guest(request, quiz))
    return _start(request, slug)


@login_required_page
def _start(request: HttpRequest, slug: str) -> HttpResponse:
    learner = current_user(request)
    return _redirect_to_attempt(
        request, slug, partial(services.start, quiz=slug, learner=learner, now=clock.now())
    )


@rate_limit(action="guest")  # type: ignore[untyped-decorator]  # allauth has no types
def _start_as_guest(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    def begin() -> Attempt:
        attempt = start_as_guest(
            quiz=quiz.uuid,
            language=request.LANGUAGE_CODE,
            time_zone=browser_zone(request),
            now=clock.now(),
        )
        remember_guest(request.session, attempt.learner)
        return attempt

    return _redirect_to_attempt(request, quiz.slug, begin)


def _redirect_to_attempt(
    request: HttpRequest, slug: str, begin: Callable[[], Attempt]
) -> HttpResponse:
    try:
        attempt = begin()
    except Refused as refused:
        messages.error(request, describe_refusal(refused.code))
        return redirect("intro", slug)
    return redirect("attempt", attempt.uuid)
