"""The form that asks for a gradebook as a file, and the file."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Group
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.presentation.gradebook_files import CSV, XLSX, send_gradebook
from quizzes.presentation.gradebook_tables import translate_title
from quizzes.publishing.models import Quiz
from quizzes.results.gradebook_export import (
    ATTEMPTS,
    GRADES,
    ITEMS,
    list_exported_quizzes,
    record_gradebook_export,
)


class GradebookExportForm(forms.Form):
    """What of a gradebook is exported, and as what."""

    quiz = forms.ChoiceField(label=gettext_lazy("Quiz"), required=False)
    rows = forms.ChoiceField(
        label=gettext_lazy("Rows"),
        choices=[
            (GRADES, gettext_lazy("Final grades, a row a learner")),
            (ATTEMPTS, gettext_lazy("Every attempt, a row an attempt")),
            (ITEMS, gettext_lazy("Every answer, a row an attempt, columns a question")),
        ],
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=[
            (XLSX, gettext_lazy("Workbook (XLSX)")),
            (CSV, gettext_lazy("Comma-separated (CSV)")),
        ],
    )

    def __init__(self, quizzes: Sequence[Quiz], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = [(str(quiz.uuid), translate_title(quiz)) for quiz in quizzes]
        self.fields["quiz"].choices = [("", _("All quizzes")), *titles]  # type: ignore[attr-defined]


def export_gradebook(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Return the file that was asked for; a choice that there is not: 404; none: the gradebook."""
    if not request.GET:
        return redirect("admin:accounts_group_gradebook", group.pk)
    viewer = current_user(request)
    try:
        quizzes = list_exported_quizzes(
            group=group, viewer=viewer, rows=request.GET.get("rows", "")
        )
    except NotFound:
        raise Http404 from None
    form = GradebookExportForm(quizzes, request.GET)
    if not form.is_valid():
        raise Http404
    choice = form.cleaned_data
    if choice["quiz"]:
        quizzes = tuple(quiz for quiz in quizzes if quiz.uuid == UUID(choice["quiz"]))
    record_gradebook_export(group=group, quizzes=quizzes, rows=choice["rows"], choice=choice)
    try:
        return send_gradebook(
            group=group,
            quizzes=quizzes,
            rows=choice["rows"],
            file_format=choice["format"],
            viewer=viewer,
            now=clock.now(),
        )
    except Refused:
        messages.error(request, _("No workbook has so many columns. Choose CSV, or one quiz."))
        return redirect("admin:accounts_group_gradebook", group.pk)
