"""The page that copies a question: under which name."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quizzes.bank.models import Question
from quizzes.bank.question_copies import copy_question
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import text_input
from quizzes.lib.errors import Conflict


class QuestionCopyForm(forms.Form):
    """What the copy of a question is called."""

    name = forms.SlugField(
        label=gettext_lazy("Short name of the copy"), max_length=100, widget=text_input
    )


def show_question_copy(admin: Any, request: HttpRequest, question: Question) -> HttpResponse:
    """Ask for the name of the copy; on POST copy the question, and go on with the copy."""
    if not admin.has_change_permission(request, question):
        raise PermissionDenied
    posted = request.POST if request.method == "POST" else None
    form = QuestionCopyForm(posted, initial={"name": _suggest_name(question)})
    if form.is_valid():
        try:
            copy = copy_question(
                question=question, name=form.cleaned_data["name"], by=current_user(request)
            )
        except Conflict:
            form.add_error("name", _("There is a question of this name in the bank."))
        else:
            admin.log_addition(request, copy, f"copied from {question.name}")
            messages.success(request, _("The question is copied. This is the copy, a draft."))
            return redirect("admin:bank_question_change", copy.pk)
    response: HttpResponse = admin.render_question_page(request, question, "copy", {"form": form})
    return response


def _suggest_name(question: Question) -> str:
    """Return a name that is free in the bank."""
    number, stem = 2, question.name[:90]
    while question.bank.questions.filter(name=f"{stem}-{number}").exists():
        number += 1
    return f"{stem}-{number}"
