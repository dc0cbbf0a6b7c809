"""Taking: the page of an open attempt, and the form that it posts without scripts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import ceil
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from quizzes.attempts import rules
from quizzes.attempts.models import State, Verdict
from quizzes.attempts.saving import Saved, save
from quizzes.attempts.selectors import Head, Sheet, sheet
from quizzes.lib import clock
from quizzes.results.services import settle_own
from quizzes.web import asking, language, pages, reading
from quizzes.web.asking import Form, Shown
from quizzes.web.gate import page, person


@page
@require_http_methods(["GET", "HEAD", "POST"])
def taking(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Show the questions, or save what the form brought and go where its button says."""
    learner, now = person(request), clock.now()
    found = sheet(attempt=attempt, learner=learner)
    if request.method == "POST":
        return _save(request, found, learner, now)
    if is_over(found, now):
        settle_own(learner=learner, now=now)
        return redirect("result", attempt)
    return show(request, found, asking.as_it_stands(found), now)


def is_over(found: Sheet, now: datetime) -> bool:
    """Tell whether nothing more counts."""
    row = found.attempt
    return row.state != State.OPEN or not rules.in_time(row.cutoff_at, now)


def show(
    request: HttpRequest,
    found: Sheet,
    shown: Sequence[Shown],
    now: datetime,
    status: int = 200,
) -> HttpResponse:
    """Draw the page."""
    context = {
        "attempt": head_of(found, now, request.LANGUAGE_CODE),
        "questions_html": asking.draw(found, request.LANGUAGE_CODE, shown),
        "map_html": asking.draw_map(shown),
        "mishaps": sum(bool(one.error) for one in shown),
    }
    return render(request, "quizzes/taking/taking.html", context, status=status)


def head_of(found: Sheet, now: datetime, lang: str) -> pages.Taking:
    """Give what the pages of an open attempt tell of it, questions apart."""
    row = found.attempt
    title, title_lang = found.manifest.title_in(lang)
    return pages.Taking(
        uuid=str(row.uuid),
        quiz_title=title,
        lang=title_lang,
        count=len(found.papers),
        answered=found.answered,
        flagged=sum(head.flagged for head in found.heads),
        saved_at=found.saved_at,
        deadline_at=row.deadline_at,
        remaining_seconds=remaining(row.deadline_at, now),
        operation=str(uuid4()),
    )


def remaining(deadline: datetime | None, now: datetime) -> int | None:
    """Give the whole seconds that are left, never below 0; None without a deadline."""
    return None if deadline is None else max(0, ceil((deadline - now).total_seconds()))


def _save(request: HttpRequest, found: Sheet, learner: User, now: datetime) -> HttpResponse:
    form = asking.read_form(request.POST, found)
    saved = (
        save(
            attempt=found.attempt.uuid,
            learner=learner,
            saves=form.saves,
            language=request.LANGUAGE_CODE,
            now=now,
        )
        if form.saves
        else ()
    )
    # Another tab may have submitted after the sheet was read: the verdicts know.
    if is_over(found, now) or any(one.verdict == Verdict.LATE for one in saved):
        return _too_late(request, found, learner, now, any(form.saves))
    # Answers are saved in the language they were given in; what is said of them is in the new one.
    switch = language.turn(request, request.POST.get("switch", ""))
    shown = _mishaps(found, form, {one.slot: one for one in saved}, request.LANGUAGE_CODE)
    if any(one.error for one in shown):
        answer = show(request, found, shown, now, status=409)
    else:
        review = request.POST.get("action") == "review" and not switch
        answer = redirect("review" if review else "taking", found.attempt.uuid)
    return language.remember(request, switch, answer)


def _too_late(
    request: HttpRequest, found: Sheet, learner: User, now: datetime, sent: bool
) -> HttpResponse:
    """Say honestly that it came too late; it is kept in quarantine all the same."""
    settle_own(learner=learner, now=now)
    if sent:
        messages.warning(
            request,
            _(
                "This attempt was over when your last answers arrived. "
                "They are kept for your instructor to see, but do not count."
            ),
        )
    return redirect("result", found.attempt.uuid)


def _mishaps(found: Sheet, form: Form, saved: Mapping[int, Saved], lang: str) -> list[Shown]:
    """Show what now stands, and beside it what could not be read or met a newer answer."""
    shown = asking.as_it_stands(found)
    for slot, one in saved.items():
        head = Head(slot, one.revision, one.answer, one.flagged, one.at)
        error = _overtaken(found, slot, form) if one.verdict == Verdict.CONFLICT else ""
        shown[slot] = Shown(head, one.answer, one.flagged, error)
    for slot, unread in form.errors.items():
        stands, said = shown[slot], reading.sentence(found.papers[slot], unread.wrong, lang)
        places = tuple(map(reading.place, unread.wrong))
        shown[slot] = (
            replace(stands, error=f"{stands.error} {said}")
            if stands.error
            else Shown(stands.head, unread.raw, unread.flagged, said, places)
        )
    return shown


def _overtaken(found: Sheet, slot: int, form: Form) -> str:
    """Say that another tab was first, and what this one had chosen: the learner decides."""
    answer, _flagged = form.chosen[slot]
    return _(
        "This question was answered elsewhere in the meantime, and that answer is shown here. "
        "You had chosen: {answer}. Choose again if that is what you want."
    ).format(answer=asking.in_words(found.papers[slot], answer))
