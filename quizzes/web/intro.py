"""The page before a quiz: everything one should know, and one button."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from quizzes.attempts import access, selectors, services
from quizzes.attempts.models import State
from quizzes.attempts.rules import Permission
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.markup import render as markup
from quizzes.publishing.models import Quiz
from quizzes.publishing.selectors import Published, effective_scoring_method, published, uuid_of
from quizzes.results.report import Summary
from quizzes.results.selectors import own_attempts, summaries
from quizzes.results.services import settle_own
from quizzes.web import pages, words
from quizzes.web.gate import page, person
from quizzes.web.history import past
from quizzes.web.kinds import WEB_KINDS

SHOWN = 10
"""Earlier results on the page; the rest is in the history."""

PLAIN = "all_or_nothing"

_intros: FrozenCache[tuple[UUID, str], str] = FrozenCache(500)


@page
@require_safe
def intro(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what one should know before beginning."""
    learner, now, lang = person(request), clock.now(), request.LANGUAGE_CODE
    settle_own(learner=learner, now=now)
    quiz = _takeable(learner, slug)
    if quiz.current is None:
        raise NotFound
    edition = published(quiz.current)
    entry = selectors.entry(quiz, learner)
    rows = own_attempts(learner).filter(quiz=quiz).order_by("-number")
    listed = summaries(rows[:SHOWN], learner, now)
    quiz_page = _page(edition, slug, entry.permission(edition.policies, now), listed, lang)
    return render(request, "quizzes/taking/intro.html", {"quiz": quiz_page})


def _takeable(learner: User, slug: str) -> Quiz:
    quiz = access.takeable_by(learner).select_related("current").filter(slug=slug).first()
    if quiz is None:
        raise NotFound
    return quiz


def _page(
    edition: Published, slug: str, may: Permission, attempts: Sequence[Summary], lang: str
) -> pages.Intro:
    title = edition.title.get(lang)
    opened = next((summary for summary in attempts if summary.state == State.OPEN), None)
    return pages.Intro(
        title=title or edition.title.get(edition.source_language, ""),
        lang=lang if title else edition.source_language,
        intro_html=_intro_html(edition, lang),
        question_count=edition.question_count,
        pass_mark=words.percent(edition.threshold),
        time_limit_minutes=edition.policies.time_limit_minutes,
        scoring_methods=_scoring_methods(edition),
        attempts_left=may.left,
        pace=words.pace(edition.policies),
        next_opens_at=None if may.allowed else may.next_at,
        closes_at=may.window.closes_at if may.window else None,
        refusal="" if may.allowed else words.refusal(may.code),
        reveal=words.reveals(edition.policies.reveal),
        open_attempt_url=reverse("taking", args=[opened.attempt]) if opened else None,
        start_url=reverse("start", args=[slug]),
        results=[past(summary, lang) for summary in attempts if summary.state != State.OPEN],
    )


def _scoring_methods(edition: Published) -> list[str]:
    """Return how questions are scored; one sentence for all where all or nothing is no surprise."""
    scored = (
        (
            WEB_KINDS[choice.kind].shows_scoring_hint,
            effective_scoring_method(choice, edition.policies),
        )
        for place in edition.places
        for choice in place.choices
    )
    sentences = (
        words.plainly()
        if scoring_method == PLAIN and not shows_scoring_hint
        else words.describe_scoring_method(scoring_method)
        for shows_scoring_hint, scoring_method in scored
    )
    return list(dict.fromkeys(sentences))


def _intro_html(edition: Published, lang: str) -> str:
    """Render the introduction once an edition and language."""
    text = edition.intro.get(lang) or edition.intro.get(edition.source_language) or ""
    key = (edition.uuid, lang)
    return _intros.get_many([key], lambda _: {key: markup(text) if text else ""})[key]


@page
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Start, or resume what is open; where the rules say no, say why."""
    learner = person(request)
    quiz = uuid_of(slug)
    if quiz is None:
        raise NotFound
    try:
        attempt = services.start(quiz=quiz, learner=learner, now=clock.now())
    except Refused as refused:
        messages.error(request, words.refusal(refused.code))
        return redirect("intro", slug)
    return redirect("taking", attempt.uuid)
