"""The page on which an instructor lets a learner go on with an attempt that was handed in."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quizzes.attempts.access import may_void
from quizzes.attempts.deadline_extension import MAX_MINUTES
from quizzes.attempts.models import Attempt, State
from quizzes.instructor.permissions import current_user
from quizzes.instructor.results.room_actions import ReasonForm
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.results.reopening import reopen_attempt

REFUSALS = {
    "void": gettext_lazy("This attempt is void already."),
    "still_open": gettext_lazy("This attempt is still open. Give more time instead."),
    "another_open": gettext_lazy(
        "The learner has another attempt at this quiz open. It must end before this one goes on."
    ),
    "answers_erased": gettext_lazy("The answers of this attempt were erased; it cannot go on."),
}


class ReopeningForm(ReasonForm):
    """How much time the learner has, and why the attempt goes on."""

    field_order = ("minutes", "reason")
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes from now"), min_value=1, max_value=MAX_MINUTES, initial=10
    )


def can_reopen(attempt: Attempt, person: Any) -> bool:
    """Return whether this person may let the learner go on with it, and it is over."""
    return attempt.state in {State.SUBMITTED, State.GRADED} and may_void(person, attempt)


def show_reopening(admin: Any, request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Say what reopening does and ask for time and reason; on POST do it."""
    person = current_user(request)
    if not may_void(person, attempt):
        raise Http404
    form = ReopeningForm(request.POST if request.method == "POST" else None)
    if attempt.deadline_at is None:
        form.fields["minutes"].required = False
        form.fields["minutes"].initial = None
        form.fields["minutes"].help_text = _("Without minutes it has no deadline, as before.")
    refusal = "" if can_reopen(attempt, person) else REFUSALS[_name_state(attempt)]
    if not refusal and form.is_valid():
        try:
            reopened = reopen_attempt(
                attempt=attempt.uuid, by=person, now=clock.now(), **form.cleaned_data
            )
        except NotFound:
            raise Http404 from None
        except Refused as error:
            refusal = REFUSALS[error.code]
        else:
            admin.log_change(request, attempt, "reopen")
            messages.success(request, _("The attempt goes on as attempt %s.") % reopened.number)
            return redirect("admin:attempts_attempt_progress", attempt.quiz.uuid)
    context = {"form": form, "refusal": refusal}
    status = 409 if refusal and request.method == "POST" else 200
    page: HttpResponse = admin.render_attempt_page(
        request, attempt, "reopen", context, status=status
    )
    return page


def _name_state(attempt: Attempt) -> str:
    return "void" if attempt.state == State.VOID else "still_open"
