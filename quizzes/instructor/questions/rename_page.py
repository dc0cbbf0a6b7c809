"""The page that renames a question: what it is called in its bank."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quizzes.bank.models import Question
from quizzes.bank.services import rename_question
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import text_input
from quizzes.lib.errors import Conflict


class QuestionRenameForm(forms.Form):
    """What a question is called from now on."""

    name = forms.SlugField(label=gettext_lazy("Short name"), max_length=100, widget=text_input)


def show_question_rename(admin: Any, request: HttpRequest, question: Question) -> HttpResponse:
    """Ask for the name; on POST rename the question, and go back to it."""
    if not admin.has_change_permission(request, question):
        raise PermissionDenied
    posted = request.POST if request.method == "POST" else None
    form = QuestionRenameForm(posted, initial={"name": question.name})
    if form.is_valid():
        try:
            rename_question(
                question=question, name=form.cleaned_data["name"], by=current_user(request)
            )
        except Conflict:
            form.add_error("name", _("There is a question of this name in the bank."))
        else:
            messages.success(request, _("The question is renamed."))
            return redirect("admin:bank_question_change", question.pk)
    response: HttpResponse = admin.render_question_page(request, question, "rename", {"form": form})
    return response
