"""The review before submitting, and submitting."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from quizzes.attempts.selectors import AttemptView, load_attempt_view
from quizzes.lib import clock
from quizzes.lib.errors import Refused
from quizzes.presentation.messages.attempts import describe_refusal, describe_unconfirmed_numbers
from quizzes.presentation.question_rendering import prompt_excerpt
from quizzes.presentation.unconfirmed_numbers import describe_unconfirmed
from quizzes.results import services
from quizzes.web import view_models
from quizzes.web.decorators import current_user, guests_allowed, login_required_page
from quizzes.web.taking_device import read_device
from quizzes.web.views.attempt import build_attempt_header, is_over


@guests_allowed
@login_required_page
@require_safe
def review(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Show what is answered, flagged and open; nothing is decided here."""
    learner, now = current_user(request), clock.now()
    attempt_view = load_attempt_view(attempt=attempt, learner=learner)
    if is_over(attempt_view, now):
        services.finish_overdue(learner=learner, now=now)
        return redirect("result", attempt)
    if attempt_view.is_elsewhere(read_device(request)):
        return redirect("attempt", attempt)
    rows = _build_rows(attempt_view, request.LANGUAGE_CODE)
    context = {
        "attempt": build_attempt_header(attempt_view, now, request.LANGUAGE_CODE),
        "unanswered": len(attempt_view.public_versions) - attempt_view.answered,
        "unconfirmed": describe_unconfirmed_numbers([row.slot for row in rows if row.unconfirmed]),
        "questions": rows,
    }
    return render(request, "quizzes/pages/submit.html", context)


def _build_rows(attempt_view: AttemptView, lang: str) -> list[view_models.SubmitRow]:
    return [
        view_models.SubmitRow(
            slot=response.slot,
            number=response.slot + 1,
            answered=response.answer is not None,
            flagged=response.flagged,
            excerpt=prompt_excerpt(public_version, lang)
            if response.slot in attempt_view.shown_slots
            else "",
            lang=public_version.words(lang).language,
            unconfirmed=describe_unconfirmed(public_version, response.answer, lang),
            is_shown=response.slot in attempt_view.shown_slots,
            is_to_come=response.slot >= attempt_view.shown_slots.stop,
        )
        for response, public_version in zip(
            attempt_view.responses, attempt_view.public_versions, strict=True
        )
    ]


@guests_allowed
@login_required_page
@require_POST
def submit(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Submit and grade; however often it is asked, it happens once.

    Numbers that can be read in two ways are asked about first, at their fields.
    """
    try:
        services.finish(
            attempt=attempt,
            learner=current_user(request),
            now=clock.now(),
            device=read_device(request),
        )
    except Refused as refused:
        if refused.code == "elsewhere":
            return redirect("attempt", attempt)
        if refused.code == "numbers_unconfirmed":
            return _ask_for_numbers(request, attempt, refused.detail["slots"])
        messages.error(request, describe_refusal(refused.code))
    return redirect("result", attempt)


def _ask_for_numbers(request: HttpRequest, attempt: UUID, slots: Sequence[int]) -> HttpResponse:
    messages.error(request, describe_unconfirmed_numbers(slots))
    return redirect(f"{reverse('attempt', args=[attempt])}#q-{slots[0]}")
