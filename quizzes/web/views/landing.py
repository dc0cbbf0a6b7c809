"""The first page of a stranger: what this is, a question that is answered by one tap, open quizzes.

Whoever took one of these in this browser without an account finds the results here.
"""

from collections.abc import Iterable
from typing import Any

from allauth.decorators import rate_limit
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString

from accounts.models import User
from quizzes.attempts.access import open_to_anyone
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.practice.sample_question import SampleQuestion, check_sample_answer
from quizzes.presentation.messages.attempts import describe_taking_rules
from quizzes.presentation.review_rendering import render_single_review
from quizzes.publishing.models import Quiz, QuizVersion
from quizzes.publishing.policies import Policies
from quizzes.results.selectors import list_own_attempts
from quizzes.results.services import finish_overdue
from quizzes.web.view_models import AttemptRow, OpenQuizRow, SampleOption, SampleQuestionView
from quizzes.web.views.history import build_rows_of_guest

MAX_QUIZZES = 6
"""Quizzes that the page lists."""
MAX_ATTEMPTS = 6
"""Attempts of a guest that the page lists, the newest."""


@rate_limit(action="sample_question")  # type: ignore[untyped-decorator]  # allauth has no types
def landing(
    request: HttpRequest, sample: SampleQuestion | None, quizzes: Iterable[Quiz]
) -> HttpResponse:
    """Return the page of a stranger or guest, with the review of what they answered."""
    lang = request.LANGUAGE_CODE
    guest = request.user if request.user.is_authenticated else None
    question = _build_question(sample, lang) if sample else None
    context: dict[str, Any] = {
        "question": question,
        "quizzes": [_build_open_quiz(quiz, quiz.current, lang) for quiz in quizzes if quiz.current],
        "attempts": list_attempts_of_guest(guest, lang) if guest else [],
        "review_html": "",
    }
    if sample and request.method == "POST":
        raw = {"chosen": request.POST.getlist("chosen")[:1]}
        try:
            report = check_sample_answer(sample, raw=raw, language=lang)
        except Invalid:
            return redirect("home")
        context["review_html"] = render_single_review(report, lang)
        context["outcome"] = report.outcome
    context["styled_html"] = context["review_html"] or _join_texts(question)
    return render(request, "quizzes/pages/landing.html", context)


def _join_texts(question: SampleQuestionView | None) -> str:
    """Return the texts of the question, by which its style sheets are chosen; never ""."""
    texts = [question.prompt_html, *(each.html for each in question.options)] if question else []
    return "\n".join(texts) or "\n"


def list_open_quizzes() -> list[Quiz]:
    """Return quizzes that a stranger may begin without an account, some of them."""
    now = clock.now()
    rows = open_to_anyone().filter(
        Q(opens_at=None) | Q(opens_at__lte=now), Q(closes_at=None) | Q(closes_at__gt=now)
    )
    return list(rows.select_related("current").order_by("slug")[:MAX_QUIZZES])


def list_attempts_of_guest(guest: User, lang: str) -> list[AttemptRow]:
    """Return what this guest began, the newest first, as far as the page lists it."""
    now = clock.now()
    finish_overdue(learner=guest, now=now)
    rows = list_own_attempts(guest).order_by("-started_at", "-pk")[:MAX_ATTEMPTS]
    return build_rows_of_guest(rows, guest, lang, now)


def _build_open_quiz(quiz: Quiz, quiz_version: QuizVersion, lang: str) -> OpenQuizRow:
    title = quiz_version.title.get(lang)
    policies = Policies.from_json(quiz_version.policies)
    has_rules = policies.time_limit_minutes is not None or describe_taking_rules(policies)
    return OpenQuizRow(
        title=title or quiz_version.title.get(quiz_version.source_language, ""),
        lang=lang if title else quiz_version.source_language,
        url=reverse("intro", args=[quiz.slug]),
        questions=quiz_version.question_count,
        start_url="" if has_rules else reverse("start", args=[quiz.slug]),
    )


def _build_question(sample: SampleQuestion, lang: str) -> SampleQuestionView:
    texts = sample.public_version.words(lang)
    return SampleQuestionView(
        lang=texts.language,
        prompt_html=SafeString(texts.prompt),
        options=[
            SampleOption(str(option), SafeString(texts.parts.get(str(option), "")))
            for option in sample.slot.order
        ],
    )
