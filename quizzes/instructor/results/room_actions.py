"""What instructors do with those who are at a quiz: more time, a pause, its end.

Each asks what it needs to know, for those who are chosen or for everybody. That it is for everybody
is on the button, or is asked: a choice that was lost must not become everybody.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from accounts.access import find_overseen
from accounts.login_throttle import unlock
from quizzes.attempts.access import managed_by, quizzes_overseen_by
from quizzes.attempts.deadline_extension import MAX_MINUTES, extend_by_minutes
from quizzes.attempts.instructor_messages import send_message
from quizzes.attempts.models import MAX_MESSAGE_LENGTH, Attempt, State
from quizzes.attempts.pauses import (
    MAX_PAUSE_MINUTES,
    pause_attempts,
    pause_quiz,
    resume_attempts,
)
from quizzes.instructor.permissions import current_user, get_permissions
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Quiz


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        help_text=gettext_lazy("It stays in the audit log of each attempt."),
    )


class ExtensionForm(ReasonForm):
    """How many minutes more, and why."""

    field_order = ("minutes", "reason")
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes more"), min_value=1, max_value=MAX_MINUTES, initial=10
    )


class PauseForm(ReasonForm):
    """How long the pause is at most, and why."""

    field_order = ("minutes", "reason")
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes at most"),
        min_value=1,
        max_value=MAX_PAUSE_MINUTES,
        initial=60,
        help_text=gettext_lazy("After them the time goes on, unless you end the pause before."),
    )


class MessageForm(forms.Form):
    """What learners are to read."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        max_length=MAX_MESSAGE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Plain text. It stays in the audit log of each attempt."),
    )


@dataclass(frozen=True, slots=True)
class RoomAction:
    """One of the actions: for whom it is, what it asks, what it does and says.

    `effect` and `done` have a singular and a plural, by the number of attempts.
    """

    title: Promise
    applies_to: Q
    run: Callable[..., int]
    done: Any
    refusal: Promise
    effect: Any
    form: type[forms.Form] | None = None
    run_for_all: Callable[..., int] | None = None
    """What is done instead where nobody is chosen: of a quiz."""


EXTEND: Final = "extend_time"
FOR_ALL, FOR_CHOSEN = "all", "chosen"
"""For whom a button says that it is, in the field `for`; without scripts it does not say."""
ACTIONS: Final[Mapping[str, RoomAction]] = {
    EXTEND: RoomAction(
        title=gettext_lazy("Give more time"),
        applies_to=Q(deadline_at__isnull=False),
        run=extend_by_minutes,
        done=ngettext_lazy(
            "%(count)s attempt has more time.", "%(count)s attempts have more time.", "count"
        ),
        refusal=gettext_lazy("Only those who teach a learner can give them more time."),
        effect=ngettext_lazy(
            "The deadline of %(count)s attempt moves out. The learner sees it within 15 seconds. "
            "Time that was given cannot be taken back.",
            "The deadlines of %(count)s attempts move out. Their learners see it within 15 "
            "seconds. Time that was given cannot be taken back.",
            "count",
        ),
        form=ExtensionForm,
    ),
    "pause": RoomAction(
        title=gettext_lazy("Pause"),
        applies_to=Q(),
        run=pause_attempts,
        done=ngettext_lazy(
            "%(count)s attempt is paused.", "%(count)s attempts are paused.", "count"
        ),
        refusal=gettext_lazy("Only those who teach a learner can pause their attempt."),
        effect=ngettext_lazy(
            "The time of %(count)s attempt stands still until you end the pause. The learner reads "
            "it within 15 seconds; what they answer meanwhile is saved and counts.",
            "The time of %(count)s attempts stands still until you end the pause. Their learners "
            "read it within 15 seconds; what they answer meanwhile is saved and counts.",
            "count",
        ),
        form=PauseForm,
        run_for_all=pause_quiz,
    ),
    "resume": RoomAction(
        title=gettext_lazy("End the pause"),
        applies_to=Q(paused_until__isnull=False),
        run=resume_attempts,
        done=ngettext_lazy(
            "The time of %(count)s attempt goes on.",
            "The time of %(count)s attempts goes on.",
            "count",
        ),
        refusal=gettext_lazy("Only those who teach a learner can end the pause."),
        effect=ngettext_lazy(
            "The time of %(count)s attempt goes on.",
            "The time of %(count)s attempts goes on.",
            "count",
        ),
    ),
    "message": RoomAction(
        title=gettext_lazy("Send a message"),
        applies_to=Q(),
        run=send_message,
        done=ngettext_lazy(
            "The message is sent to %(count)s learner.",
            "The message is sent to %(count)s learners.",
            "count",
        ),
        refusal=gettext_lazy("Only those who teach a learner can write to them."),
        effect=ngettext_lazy(
            "%(count)s learner reads it within 15 seconds, and keeps it on the page.",
            "%(count)s learners read it within 15 seconds, and keep it on the page.",
            "count",
        ),
        form=MessageForm,
    ),
}


@dataclass(frozen=True, slots=True)
class ActionOrigin:
    """The page that an action is chosen on: its name for attempts, where it is, of which quiz."""

    row_field: str
    url: str
    is_for_all: bool = False
    quiz: Quiz | None = None


def act_on_quiz(admin: Any, request: HttpRequest, quiz_uuid: UUID, name: str) -> HttpResponse:
    """Do it on POST for those chosen on the page of a running quiz, and lead back there."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if name not in ACTIONS or not get_permissions(request).is_instructor:
        raise Http404
    person = current_user(request)
    quiz = quizzes_overseen_by(person).filter(uuid=quiz_uuid).first()
    if quiz is None:
        raise Http404
    chosen = [pk for pk in request.POST.getlist("attempt") if pk.isdecimal()]
    attempts = Attempt.objects.filter(quiz=quiz, is_staff_attempt=False)
    url = reverse("admin:attempts_attempt_progress", args=[quiz.uuid])
    if request.POST.get("for") == FOR_CHOSEN and not chosen:
        messages.error(request, _("None of those you chose is in it any more; nothing was done."))
        return redirect(url)
    origin = ActionOrigin("attempt", url, is_for_all=not chosen, quiz=quiz)
    managed = attempts.filter(pk__in=chosen) if chosen else attempts.filter(managed_by(person))
    return perform_action(admin, request, name, managed, origin) or redirect(url)


def unlock_sign_in(request: HttpRequest, quiz_uuid: UUID) -> HttpResponse:
    """Let a person whom one oversees try to sign in again, and lead back to the page of the quiz.

    Whoever may look at the page may: assistants invigilate.
    """
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    invigilator = current_user(request)
    quiz = quizzes_overseen_by(invigilator).filter(uuid=quiz_uuid).first()
    person = find_overseen(invigilator, request.POST.get("unlock", ""))
    if quiz is None or person is None:
        raise Http404
    unlock(user=person, by=invigilator)
    messages.success(request, _("%(person)s can sign in again.") % {"person": person})
    return redirect("admin:attempts_attempt_progress", quiz.uuid)


def perform_action(
    admin: Any, request: HttpRequest, name: str, attempts: QuerySet[Attempt], origin: ActionOrigin
) -> HttpResponse | None:
    """Ask what an action needs to know, or do it and say what was done: then None."""
    action = ACTIONS[name]
    running = attempts.filter(action.applies_to, state=State.OPEN)
    fields = (action.form or forms.Form).base_fields
    is_filled_in = not fields or not fields.keys().isdisjoint(request.POST)
    if origin.is_for_all and request.POST.get("for") != FOR_ALL:
        is_filled_in = False
    form = (action.form or forms.Form)(request.POST if is_filled_in else None)
    if form.is_valid():
        of_quiz = origin.quiz if origin.is_for_all else None
        _run(request, action, running, form.cleaned_data, of_quiz)
        return None
    rows = list(running.select_related("learner", "quiz").order_by("learner__name", "pk"))
    context = {
        "rows": rows,
        "form": form,
        "name": name,
        "action": action,
        "effect": action.effect % {"count": len(rows)},
        "scope": FOR_ALL if origin.is_for_all else FOR_CHOSEN,
        "scope_text": _describe_scope(len(rows), is_for_all=origin.is_for_all),
        "origin": origin,
        "holds_up_starts": origin.is_for_all and action.run_for_all is not None,
        "original": origin.quiz,
    }
    title = str(action.title)
    response: HttpResponse = admin.render_page(
        request, "attempts/attempt/room_action", context, title=title, page_name=title
    )
    return response


def _describe_scope(count: int, *, is_for_all: bool) -> str:
    """Return for whom it is, as a button says it after what it does."""
    if is_for_all:
        text = ngettext("for the only one in it", "for all %(count)s in it", count)
    else:
        text = ngettext("for the one chosen", "for the %(count)s chosen", count)
    return text % {"count": count}


def _run(
    request: HttpRequest,
    action: RoomAction,
    running: QuerySet[Attempt],
    data: Mapping[str, Any],
    of_quiz: Quiz | None = None,
) -> None:
    run = partial(action.run, attempts=running)
    if of_quiz is not None and action.run_for_all is not None:
        run = partial(action.run_for_all, quiz=of_quiz)
    try:
        count = run(by=current_user(request), now=clock.now(), **data)
    except NotFound:
        messages.error(request, str(action.refusal))
    else:
        messages.success(request, action.done % {"count": count})
