"""The page of an open attempt, and the form that it posts without scripts."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import Truncator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from quizzes.attempts import rules
from quizzes.attempts.devices import open_on_device, take_over
from quizzes.attempts.models import Attempt, SaveStatus, State
from quizzes.attempts.question_locks import leave_question
from quizzes.attempts.responses import SaveResult, save_responses
from quizzes.attempts.selectors import AttemptView, CurrentResponse, load_attempt_view
from quizzes.bank.selectors import PublicVersion
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.form_parsing import ParsedForm, parse_attempt_form
from quizzes.presentation.kinds import answer_text
from quizzes.presentation.lenient_parsing import describe_problems, part_path
from quizzes.presentation.messages.attempts import describe_refusal
from quizzes.presentation.question_rendering import (
    QuestionState,
    render_question_map,
    render_questions,
    saved_states,
)
from quizzes.results.services import finish_overdue
from quizzes.web import view_models
from quizzes.web.decorators import current_user, guests_allowed, login_required_page
from quizzes.web.taking_device import read_device, remember_device
from quizzes.web.views.language import activate_language, remember_language

LONGEST_QUOTE = 500
"""Characters of an answer that a message repeats."""


@guests_allowed
@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def attempt_page(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Show the questions, or save the form and go where its button leads."""
    learner, now = current_user(request), clock.now()
    attempt_view = load_attempt_view(attempt=attempt, learner=learner)
    if request.method == "POST":
        if "take_over" in request.POST:
            return _take_over(request, attempt, learner, now)
        return _save(request, attempt_view, learner, now)
    if is_over(attempt_view, now):
        finish_overdue(learner=learner, now=now)
        return redirect("result", attempt)
    if attempt_view.manifest.policies.one_device:
        return _show_on_device(request, attempt_view, learner, now)
    return render_attempt(request, attempt_view, saved_states(attempt_view), now)


def _show_on_device(
    request: HttpRequest, attempt_view: AttemptView, learner: User, now: datetime
) -> HttpResponse:
    """Show the questions where the attempt is open; elsewhere, that it is, and a button."""
    device = read_device(request) or uuid4()
    attempt = attempt_view.attempt.uuid
    opened = open_on_device(attempt=attempt, learner=learner, device=device, now=now)
    if opened != device:
        answer = render_elsewhere(request, attempt_view)
    else:
        answer = render_attempt(request, attempt_view, saved_states(attempt_view), now)
    return remember_device(request, answer, device)


def _take_over(request: HttpRequest, attempt: UUID, learner: User, now: datetime) -> HttpResponse:
    device = read_device(request) or uuid4()
    with suppress(Refused):  # over: the page leads to the result
        take_over(attempt=attempt, learner=learner, device=device, now=now)
    return remember_device(request, redirect("attempt", attempt), device)


def _refuse_elsewhere(
    request: HttpRequest, attempt_view: AttemptView, form: ParsedForm
) -> HttpResponse:
    """Save nothing, but change the language if that was asked."""
    chosen = activate_language(request, request.POST.get("switch", ""))
    if form.saves:
        answer = render_elsewhere(request, attempt_view, form)
    else:
        answer = redirect("attempt", attempt_view.attempt.uuid)
    return remember_language(request, chosen, answer)


def render_elsewhere(
    request: HttpRequest, attempt_view: AttemptView, form: ParsedForm | None = None
) -> HttpResponse:
    """Render that the attempt is open on another device, with what was answered on this one."""
    title, title_lang = attempt_view.manifest.title_in(request.LANGUAGE_CODE)
    unsaved = (
        [
            (save.slot + 1, _quote_answer(attempt_view.public_versions[save.slot], answer))
            for save in form.saves
            for answer, _flagged in [form.answers[save.slot]]
        ]
        if form
        else []
    )
    context = {
        "attempt_id": attempt_view.attempt.uuid,
        "quiz_title": title,
        "quiz_lang": title_lang,
        "unsaved": unsaved,
    }
    return render(request, "quizzes/pages/elsewhere.html", context, status=409)


def is_over(attempt_view: AttemptView, now: datetime) -> bool:
    """Return whether the attempt is over."""
    row = attempt_view.attempt
    return row.state != State.OPEN or not rules.is_in_time(row.cutoff_at, now)


def render_attempt(
    request: HttpRequest,
    attempt_view: AttemptView,
    questions: Sequence[QuestionState],
    now: datetime,
    status: int = 200,
) -> HttpResponse:
    """Render the page."""
    context = {
        "attempt": build_attempt_header(attempt_view, now, request.LANGUAGE_CODE),
        "questions_html": render_questions(attempt_view, request.LANGUAGE_CODE, questions),
        "map_html": render_question_map(questions),
        "errored_questions": sum(bool(questions[slot].error) for slot in attempt_view.shown_slots),
    }
    return render(request, "quizzes/pages/attempt.html", context, status=status)


def build_attempt_header(
    attempt_view: AttemptView, now: datetime, lang: str
) -> view_models.AttemptHeader:
    """Return what the pages of an open attempt show of it, apart from the questions."""
    row = attempt_view.attempt
    title, title_lang = attempt_view.manifest.title_in(lang)
    return view_models.AttemptHeader(
        uuid=str(row.uuid),
        quiz_title=title,
        lang=title_lang,
        count=len(attempt_view.public_versions),
        answered=attempt_view.answered,
        flagged=sum(response.flagged for response in attempt_view.responses),
        saved_at=attempt_view.saved_at,
        deadline_at=row.deadline_at,
        clock=build_clock(row, now),
        messages=attempt_view.messages,
        is_reopened=row.reopened_from_id is not None,
        one_question_a_page=attempt_view.manifest.policies.one_question_a_page,
        one_device=attempt_view.manifest.policies.one_device,
        locked_place=_build_locked_place(attempt_view),
        idempotency_key=str(uuid4()),
    )


def _build_locked_place(attempt_view: AttemptView) -> view_models.LockedPlace | None:
    """Return where one is; None where questions do not lock."""
    if not attempt_view.manifest.policies.lock_questions:
        return None
    slot, count = attempt_view.attempt.locked_slots, len(attempt_view.public_versions)
    return view_models.LockedPlace(slot, slot + 1, slot + 2 if slot + 1 < count else None)


def build_clock(row: Attempt, now: datetime) -> view_models.AttemptClock:
    """Return the time that is left of an attempt, and for how long it stands still."""
    left = rules.compute_time_left(row.deadline_at, row.paused_until, now)
    pause = max((row.paused_until or now) - now, timedelta())
    return view_models.AttemptClock(
        remaining=None if left is None else ceil(left.total_seconds()),
        paused=ceil(pause.total_seconds()),
        given_until=None if row.deadline_at is None else row.deadline_at - row.paused_for,
    )


def _save(
    request: HttpRequest, attempt_view: AttemptView, learner: User, now: datetime
) -> HttpResponse:
    form, device = parse_attempt_form(request.POST, attempt_view), read_device(request)
    if attempt_view.is_elsewhere(device) and not is_over(attempt_view, now):
        return _refuse_elsewhere(request, attempt_view, form)
    try:
        saved = (
            save_responses(
                attempt=attempt_view.attempt.uuid,
                learner=learner,
                inputs=form.saves,
                language=request.LANGUAGE_CODE,
                now=now,
                device=device,
            )
            if form.saves
            else ()
        )
    except Refused:  # taken over since the page was read
        return _refuse_elsewhere(request, attempt_view, form)
    # Another tab may have submitted after the sheet was read: the verdicts show it.
    if is_over(attempt_view, now) or any(response.status == SaveStatus.LATE for response in saved):
        return _redirect_to_result(request, attempt_view, learner, now, any(form.saves))
    # Answers are saved in the language they were given in; messages are in the new one.
    chosen = activate_language(request, request.POST.get("switch", ""))
    _tell_of_locked(request, attempt_view, form, saved)
    questions = _states_after_saving(
        attempt_view, form, {response.slot: response for response in saved}, request.LANGUAGE_CODE
    )
    if any(questions[slot].error for slot in attempt_view.shown_slots):
        answer = render_attempt(request, attempt_view, questions, now, status=409)
    elif "leave" in request.POST:
        answer = _leave(request, attempt_view, learner, now)
    else:
        review = request.POST.get("action") == "review" and not chosen
        answer = redirect("review" if review else "attempt", attempt_view.attempt.uuid)
    return remember_language(request, chosen, answer)


def _tell_of_locked(
    request: HttpRequest, attempt_view: AttemptView, form: ParsedForm, saved: Sequence[SaveResult]
) -> None:
    for save in saved:
        if save.status == SaveStatus.LOCKED:
            answer, _flagged = form.answers[save.slot]
            public_version = attempt_view.public_versions[save.slot]
            messages.warning(request, describe_locked_answer(public_version, save.slot, answer))


def _leave(
    request: HttpRequest, attempt_view: AttemptView, learner: User, now: datetime
) -> HttpResponse:
    """Lock the question that the form names, and lead to the next."""
    attempt = attempt_view.attempt.uuid
    slot = parse_count(request.POST["leave"], maximum=len(attempt_view.public_versions))
    try:
        leave_question(
            attempt=attempt, learner=learner, slot=slot, now=now, device=read_device(request)
        )
    except Invalid as invalid:
        raise NotFound from invalid
    except Refused as refused:
        messages.error(request, describe_refusal(refused.code))
    return redirect("attempt", attempt)


def _redirect_to_result(
    request: HttpRequest, attempt_view: AttemptView, learner: User, now: datetime, sent: bool
) -> HttpResponse:
    """Redirect to the result, with a warning if answers came too late."""
    finish_overdue(learner=learner, now=now)
    if sent:
        messages.warning(
            request,
            _(
                "This attempt was over when your last answers arrived. "
                "They are kept for your instructor to see, but do not count."
            ),
        )
    return redirect("result", attempt_view.attempt.uuid)


def _states_after_saving(
    attempt_view: AttemptView, form: ParsedForm, saved: Mapping[int, SaveResult], lang: str
) -> list[QuestionState]:
    """Return what counts now, with errors where an answer cannot be read or a newer one exists."""
    questions = saved_states(attempt_view)
    for slot, save in saved.items():
        response = CurrentResponse(slot, save.revision, save.answer, save.flagged, save.at)
        error = (
            _conflict_message(attempt_view, slot, form)
            if save.status == SaveStatus.CONFLICT
            else ""
        )
        questions[slot] = QuestionState(response, response.answer, response.flagged, error)
    for slot, rejected in form.errors.items():
        state = questions[slot]
        sentence = describe_problems(attempt_view.public_versions[slot], rejected.problems, lang)
        places = tuple(map(part_path, rejected.problems))
        questions[slot] = (
            replace(state, error=f"{state.error} {sentence}")
            if state.error
            else QuestionState(state.response, rejected.raw, rejected.flagged, sentence, places)
        )
    return questions


def _conflict_message(attempt_view: AttemptView, slot: int, form: ParsedForm) -> str:
    """Return that another tab was first, and what was chosen here: the learner decides."""
    answer, _flagged = form.answers[slot]
    return _(
        "This question was answered elsewhere in the meantime, and that answer is shown here. "
        "You had chosen: {answer}. Choose again if that is what you want."
    ).format(answer=_quote_answer(attempt_view.public_versions[slot], answer))


def describe_locked_answer(
    public_version: PublicVersion, slot: int, answer: Mapping[str, Any] | None
) -> str:
    """Return that a question was left before this answer to it came, and the answer."""
    return _(
        "Question {number} had been left before this answer to it arrived: {answer}. "
        "It is kept for your instructor to see, but does not count."
    ).format(number=slot + 1, answer=_quote_answer(public_version, answer))


def _quote_answer(public_version: PublicVersion, answer: Mapping[str, Any] | None) -> str:
    text = answer_text(public_version, answer, get_language() or "") if answer else _("no answer")
    return Truncator(text).chars(LONGEST_QUOTE)
