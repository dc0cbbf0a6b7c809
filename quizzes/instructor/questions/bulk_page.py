"""One change to the questions that are ticked in their list: what it would do, then doing it."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from quizzes.bank.access import editable_by
from quizzes.bank.bulk_changes import BulkAction, BulkChange, change_questions, plan_bulk_change
from quizzes.bank.models import Bank, Question, Tag
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import select, text_input
from quizzes.lib import clock
from quizzes.lib.errors import Invalid

MOST_QUESTIONS = 1000
TITLES: Mapping[BulkAction, Promise] = {
    BulkAction.TAG: _("Add a tag"),
    BulkAction.UNTAG: _("Take a tag away"),
    BulkAction.MOVE: _("Move to another bank"),
    BulkAction.PUBLISH: _("Publish the questions"),
    BulkAction.RETIRE: _("Retire the questions"),
}
REFUSALS: Mapping[str, Promise] = {
    "not_editor": _("You may not change its bank."),
    "has_problems": _("Its draft has problems that must be corrected first."),
    "name_taken": _("The bank has a question of this name, or gets one."),
    "merged": _("It is merged with another question of its bank."),
    "shows_files": _("It shows files of its bank, which stay there."),
}


class BulkForm(forms.Form):
    """What a change needs to know: a tag, or a bank."""

    tag = forms.SlugField(label=_("Tag"), max_length=60, allow_unicode=True, widget=text_input)
    bank = forms.ModelChoiceField(Bank.objects.none(), label=_("Bank"), widget=select)

    def __init__(self, data: Any, *, action: BulkAction, person: User) -> None:
        super().__init__(data)
        self.action = action
        if action not in (BulkAction.TAG, BulkAction.UNTAG):
            del self.fields["tag"]
        if action == BulkAction.MOVE:
            banks: Any = self.fields["bank"]
            banks.queryset = editable_by(person)
        else:
            del self.fields["bank"]

    def build_change(self) -> BulkChange:
        """Return the change that the form asks for."""
        return BulkChange(
            self.action, self.cleaned_data.get("tag", ""), self.cleaned_data.get("bank")
        )


def show_bulk_page(
    admin: Any, request: HttpRequest, questions: QuerySet[Question], action: BulkAction
) -> HttpResponse:
    """Show what a change would do to the questions that are ticked; once confirmed, do it."""
    person = current_user(request)
    rows = list(questions.order_by("pk")[: MOST_QUESTIONS + 1])
    if len(rows) > MOST_QUESTIONS:
        sentence = _("At most %(most)s questions are changed at once.")
        messages.error(request, sentence % {"most": MOST_QUESTIONS})
        return redirect(request.get_full_path())
    is_sent = "is_asked" in request.POST or not BulkForm(None, action=action, person=person).fields
    form = BulkForm(request.POST if is_sent else None, action=action, person=person)
    plan = None
    if form.is_valid():
        change = form.build_change()
        if "is_confirmed" in request.POST and _do(request, change, rows, person):
            return redirect(request.get_full_path())
        plan = plan_bulk_change(change, rows, by=person)
    by_code = sorted(plan.refused, key=lambda pair: pair[1]) if plan else []
    context = {
        "action": request.POST.get("action", ""),
        "pks": [row.pk for row in rows],
        "form": form,
        "plan": plan,
        "refusals": [
            (REFUSALS[code], [question for question, _code in pairs])
            for code, pairs in groupby(by_code, key=lambda pair: pair[1])
        ],
        "tags": Tag.objects.filter(questions__in=[row.pk for row in rows]).distinct(),
        "list_url": request.get_full_path(),
    }
    response: HttpResponse = admin.render_page(
        request, "bank/question/bulk", context, title=TITLES[action]
    )
    return response


def _do(request: HttpRequest, change: BulkChange, rows: list[Question], person: User) -> bool:
    """Do the change and say to how many; return whether it was done."""
    try:
        plan = change_questions(change=change, questions=rows, by=person, now=clock.now())
    except Invalid:
        messages.error(request, _("A question was changed meanwhile. Look again."))
        return False
    count = len(plan.changing)
    sentence = ngettext("%(n)s question is changed.", "%(n)s questions are changed.", count)
    messages.success(request, sentence % {"n": count})
    return True
