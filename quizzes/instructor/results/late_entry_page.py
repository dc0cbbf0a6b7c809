"""The page on which an instructor lets a learner begin a quiz that has closed for the others."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import zones
from accounts.access import learners_taught
from accounts.models import User
from quizzes.attempts.access import quizzes_overseen_by
from quizzes.attempts.deadline_extension import MAX_MINUTES
from quizzes.attempts.deadline_settings import lock_accommodation, save_accommodation
from quizzes.attempts.models import Accommodation
from quizzes.attempts.rules import Window, extend_window
from quizzes.attempts.selectors import load_start_inputs
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import Quiz
from quizzes.publishing.policies import Policies

USUAL_MINUTES = 60
"""What is suggested where the quiz has no time limit."""
MAX_REASON_LENGTH = 300


class LateEntryForm(forms.Form):
    """How long the learner has from now on, and why."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes from now to begin and to work"),
        min_value=1,
        max_value=MAX_MINUTES,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_LENGTH,
        help_text=gettext_lazy("Instructors read it beside the time that you give."),
    )


def has_closing_time(quiz: Quiz) -> bool:
    """Return whether the quiz closes for anybody, so that somebody may come too late."""
    return quiz.closes_at is not None or quiz.assignments.exclude(closes_at=None).exists()


def show_late_entry(
    admin: Any, request: HttpRequest, quiz_uuid: UUID, learner_uuid: UUID
) -> HttpResponse:
    """Ask until when a learner may begin, and why; on POST let them in."""
    person, now = current_user(request), clock.now()
    quiz = (
        quizzes_overseen_by(person)
        .filter(uuid=quiz_uuid, current__isnull=False, pk__in=visible_to(person))
        .select_related("current")
        .first()
    )
    learner = learners_taught(person).filter(uuid=learner_uuid).first()
    if quiz is None or learner is None:
        raise Http404
    window = _find_last_window(quiz, learner)
    form = LateEntryForm(
        request.POST if request.method == "POST" else None,
        initial={"minutes": quiz.time_limit or USUAL_MINUTES},
    )
    refusal = _find_refusal(window, now)
    if not refusal and form.is_valid():
        until = now + timedelta(minutes=form.cleaned_data["minutes"])
        try:
            until = _let_in(quiz, learner, person, until, form.cleaned_data["reason"])
        except NotFound:
            raise Http404 from None
        messages.success(
            request,
            _("%(person)s may begin and work until %(time)s.")
            % {"person": learner, "time": _format_time(until)},
        )
        return redirect("admin:attempts_attempt_progress", quiz.uuid)
    context = {
        "quiz": quiz,
        "original": quiz,
        "learner": learner,
        "form": form,
        "closes_at": window.closes_at,
        "has_closed": window.closes_at is not None and window.closes_at <= now,
        "refusal": refusal,
    }
    title = _("Let %(person)s in late") % {"person": learner}
    page: HttpResponse = admin.render_page(
        request, "attempts/attempt/late_entry", context, title=title, page_name=title
    )
    return page


def _find_last_window(quiz: Quiz, learner: User) -> Window:
    """Return the window of this learner that closes last, or never."""
    inputs = load_start_inputs(quiz, learner)
    policies = Policies.from_json(quiz.current.policies if quiz.current else {})
    windows = [extend_window(window, policies, inputs.accommodation) for window in inputs.windows]
    closing = {window.closes_at: window for window in windows}
    last = max((at for at in closing if at is not None), default=None)
    return Window() if last is None or None in closing else closing[last]


def _find_refusal(window: Window, now: datetime) -> str:
    if window.closes_at is None:
        return _("The quiz has no closing time for them: nothing keeps them from beginning.")
    if window.opens_at is not None and window.opens_at > now:
        return _("The quiz has not opened for them yet.")
    return ""


@transaction.atomic
def _let_in(quiz: Quiz, learner: User, person: User, until: datetime, reason: str) -> datetime:
    """Give the learner a closing time of their own; what they were given before stays."""
    stored = lock_accommodation(quiz=quiz, learner=learner)
    row = stored or Accommodation(quiz=quiz, learner=learner)
    row.closes_at = max(until, row.closes_at or until)
    row.reason = "; ".join(filter(None, (row.reason, reason)))[-MAX_REASON_LENGTH:]
    save_accommodation(accommodation=row, by=person, now=clock.now())
    return row.closes_at


def _format_time(at: datetime) -> str:
    return f"{date_format(timezone.localtime(at), 'H:i')} {zones.abbreviate(at)}"
