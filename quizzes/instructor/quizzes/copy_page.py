"""The page that copies a quiz: its short name, its class, how far its dates move, who gets it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import groups_taught, is_administrator
from accounts.models import Group, User
from quizzes.attempts.models import Assignment
from quizzes.attempts.quiz_copies import copy_quiz
from quizzes.instructor.permissions import current_user
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.instructor.theme import select, text_input
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.sentences import describe
from quizzes.publishing.models import Quiz
from quizzes.publishing.short_names import suggest_short_name

MOST_DAYS = 3660
ERRORS: Mapping[str, Promise] = {
    "slug_taken": gettext_lazy("Another quiz has this short name."),
    "class_twice": gettext_lazy("A class can have the quiz only once."),
    "time_does_not_exist": gettext_lazy(
        "%(field)s would be %(time)s, a time that does not exist in %(zone)s: clocks are put "
        "forward. Move by another number of days, or change the time first."
    ),
    "time_occurs_twice": gettext_lazy(
        "%(field)s would be %(time)s, a time that occurs twice in %(zone)s: clocks are put back. "
        "Move by another number of days, or change the time first."
    ),
    "out_of_calendar": gettext_lazy("%(field)s would be out of the calendar."),
}
"""What a copy refuses, in words."""


class CopyForm(forms.Form):
    """What is different in the copy of a quiz; a field for each class that has the quiz."""

    slug = forms.SlugField(
        label=gettext_lazy("Short name of the copy"), max_length=100, widget=text_input
    )
    group = forms.ModelChoiceField(
        Group.objects.none(), label=gettext_lazy("Class that owns it"), widget=select
    )
    days = forms.IntegerField(
        label=gettext_lazy("Move all dates by so many days (182: 26 weeks, same day of the week)"),
        initial=0,
        min_value=-MOST_DAYS,
        max_value=MOST_DAYS,
        widget=text_input(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, *arguments: Any, quiz: Quiz, author: User, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.quiz, self.author = quiz, author
        groups = groups_taught(author)
        group_field: Any = self.fields["group"]
        group_field.queryset = groups
        group_field.required = not is_administrator(author)
        self.initial.update(slug=suggest_short_name(quiz.slug), group=quiz.group_id)
        rows = Assignment.objects.filter(quiz=quiz, group__in=groups).select_related("group")
        self.assignments = {row.pk: row for row in rows.order_by("group__name", "pk")}
        for assignment in self.assignments.values():
            self.fields[f"assignment_{assignment.pk}"] = forms.ModelChoiceField(
                groups,
                label=_("The window of %(group)s, moved, is for") % {"group": assignment.group},
                required=False,
                empty_label=_("nobody"),
                widget=select,
            )

    def copy(self) -> Quiz:
        """Copy the quiz as the form says. What the service refuses: Invalid."""
        groups = {
            assignment: self.cleaned_data[f"assignment_{pk}"]
            for pk, assignment in self.assignments.items()
            if self.cleaned_data[f"assignment_{pk}"]
        }
        return copy_quiz(
            quiz=self.quiz,
            slug=self.cleaned_data["slug"],
            group=self.cleaned_data["group"],
            days=self.cleaned_data["days"],
            zone=timezone.get_current_timezone(),
            groups_by_assignment=groups,
            by=self.author,
            now=clock.now(),
        )

    def add_refusal(self, error: Invalid) -> None:
        """Say at its field what was refused."""
        place = "slug" if error.code == "slug_taken" else None
        if "wall_time" in error.detail or error.code == "out_of_calendar":
            place = "days"
        self.add_error(place, describe(error.code, ERRORS, self._name_time(error.detail)))

    def _name_time(self, detail: Mapping[str, Any]) -> dict[str, object]:
        """Return which time of which window could not be moved, and where it would have been."""
        row = self.assignments.get(detail.get("assignment", 0))
        labels = {"opens_at": _("opens"), "closes_at": _("closes")}
        label, wall_time = labels.get(detail.get("field", ""), ""), detail.get("wall_time")
        return {
            "field": f"“{label}” ({row.group if row else self.quiz})",
            "time": date_format(wall_time, _("j M Y, H:i")) if wall_time else "",
            "zone": timezone.get_current_timezone_name(),
        }


def show_copy_page(admin: Any, request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Ask what is different in the copy; on POST copy the quiz, and go on with the copy."""
    if not admin.has_change_permission(request, quiz):
        raise PermissionDenied
    posted = request.POST if request.method == "POST" else None
    form = CopyForm(posted, quiz=quiz, author=current_user(request))
    if form.is_valid():
        try:
            copy = form.copy()
        except Invalid as error:
            form.add_refusal(error)
        else:
            messages.success(request, _("The quiz is copied. This is the copy, a draft."))
            return redirect("admin:publishing_quiz_change", copy.pk)
    context = {
        **build_quiz_tabs(quiz, "copy", may_edit=True),
        "form": form,
        "zone": timezone.get_current_timezone_name(),
    }
    title = _("Copy of %(quiz)s") % {"quiz": quiz}
    response: HttpResponse = admin.render_page(
        request,
        "publishing/quiz/copy",
        context,
        title=title,
        page_name=_("Copy"),
        status=422 if posted else 200,
    )
    return response
