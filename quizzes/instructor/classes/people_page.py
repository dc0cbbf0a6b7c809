"""Adding people to a class: a list pasted or uploaded, what it would do, and doing it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect

from accounts.models import Group, Role, RosterImport
from accounts.reauthentication import reauthentication_required
from accounts.rosters import (
    RosterStatus,
    commit_roster,
    create_roster_import,
    plan_roster,
    roster_imports_visible_to,
)
from quizzes.formats.rosters import MAX_PEOPLE, RosterFile
from quizzes.imports.sandbox.reading_process import read_people
from quizzes.instructor.classes.class_page import ERRORS
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import select, textarea
from quizzes.lib import clock
from quizzes.lib.errors import Busy, Conflict, Refused
from quizzes.lib.upload_handlers import allow_uploads, is_too_large
from quizzes.presentation.messages.rosters import FILE_ERRORS, REASONS
from quizzes.presentation.messages.sentences import describe

MAX_BYTES: Final = 5_000_000
STATUS_LABELS: Final[Mapping[RosterStatus, Promise]] = {
    RosterStatus.INVITE: gettext_lazy("is invited"),
    RosterStatus.ADD: gettext_lazy("is added"),
    RosterStatus.IN_CLASS: gettext_lazy("is in the class already"),
    RosterStatus.INVITED: gettext_lazy("is invited already"),
    RosterStatus.REPEATED: gettext_lazy("stands above already"),
    RosterStatus.INVALID: gettext_lazy("cannot be used"),
}


class RosterForm(forms.Form):
    """A list of people, as text or as a file, and what they become in the class."""

    text = forms.CharField(
        label=gettext_lazy("Paste a list"),
        required=False,
        max_length=500_000,
        widget=textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )
    file = forms.FileField(label=gettext_lazy("Or choose a file"), required=False)
    section = forms.ChoiceField(
        label=gettext_lazy("Class in the file"), required=False, widget=select
    )
    role = forms.ChoiceField(
        label=gettext_lazy("They join as"),
        choices=Role.choices,
        initial=Role.LEARNER,
        widget=select,
    )

    language = forms.ChoiceField(
        label=gettext_lazy("Language of the mails"),
        choices=settings.LANGUAGES,
        help_text=gettext_lazy("Who has an account here gets their own language."),
        widget=select,
    )

    def __init__(
        self, *args: Any, sections: tuple[tuple[str, str], ...] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].initial = get_language()
        self.fields["language"].required = False
        if sections:
            labels = [(name, f"{title} ({name})" if title else name) for name, title in sections]
            self.fields["section"].choices = labels  # type: ignore[attr-defined]  # a ChoiceField
        else:
            del self.fields["section"]

    def clean(self) -> dict[str, Any]:
        """Ask for one of the two."""
        cleaned = super().clean() or {}
        if "text" in cleaned and bool(cleaned["text"]) == bool(cleaned.get("file")):
            self.add_error("text", _("Paste a list, or choose a file: one of the two."))
        return cleaned


def show_people(admin: Any, request: HttpRequest, group: Group) -> HttpResponse:
    """Show the form or, of the list that `list` names, what it would do; on POST go on."""
    if group.archived_at is not None:
        raise Http404
    if request.method != "POST":
        name = request.GET.get("list", "")
        if name:
            return _render_plan(admin, request, _get_roster(request, group, name))
        return _render_form(admin, request, group, RosterForm())
    if is_too_large(request):
        return _render_form(
            admin, request, group, RosterForm(), codes=["file_too_large"], status=413
        )
    allow_uploads(request)

    def answer(request: HttpRequest) -> HttpResponse:
        if "list" in request.POST:
            return _commit(request, admin, group)
        return _read(admin, request, group)

    protected: HttpResponse = csrf_protect(answer)(request)
    return protected


def _get_roster(request: HttpRequest, group: Group, name: str) -> RosterImport:
    rosters = roster_imports_visible_to(current_user(request)).filter(group=group)
    try:
        roster = rosters.filter(uuid=UUID(name)).first()
    except ValueError as error:
        raise Http404 from error
    if roster is None:
        raise Http404
    return roster


def _read(admin: Any, request: HttpRequest, group: Group) -> HttpResponse:
    """Have a list read, keep it, and lead to what it would do."""
    form = RosterForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_form(admin, request, group, form, status=422)
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    data = file.read(MAX_BYTES + 1) if file else text.encode()
    if len(data) > MAX_BYTES:
        return _render_form(admin, request, group, form, codes=["file_too_large"], status=413)
    try:
        roster_file: RosterFile = read_people(data, request.POST.get("section", ""))
    except Busy as error:
        return _render_form(admin, request, group, form, codes=[error.code], status=503)
    if roster_file.errors:
        codes = [error.code for error in roster_file.errors]
        if roster_file.sections:
            form = RosterForm(
                initial={name: form.cleaned_data[name] for name in ("role", "language")},
                sections=roster_file.sections,
            )
        return _render_form(admin, request, group, form, codes=codes, status=422)
    roster = create_roster_import(
        group=group,
        by=current_user(request),
        now=clock.now(),
        people=[asdict(person) for person in roster_file.people],
        source=str(file.name or "") if file else "",
        role=Role(form.cleaned_data["role"]),
        language=form.cleaned_data["language"],
    )
    page = reverse("admin:accounts_group_people", args=[group.pk])
    return redirect(f"{page}?list={roster.uuid}")


@reauthentication_required("POST")
def _commit(request: HttpRequest, admin: Any, group: Group) -> HttpResponse:
    """Do what the page of a list showed, or show it again where it has changed since."""
    roster = _get_roster(request, group, request.POST["list"])
    try:
        committed = commit_roster(
            roster=roster,
            by=current_user(request),
            now=clock.now(),
            fingerprint=request.POST.get("fingerprint", ""),
        )
    except Conflict:
        messages.warning(request, _("The class has changed since: look at the list once more."))
        return _render_plan(admin, request, roster, status=409)
    except Refused as refused:
        if refused.code not in ERRORS:
            raise Http404 from refused
        messages.error(request, describe(refused.code, ERRORS))
        return _render_plan(admin, request, roster, status=409)
    added, invited = (committed.summary.get(status, 0) for status in ("add", "invite"))
    texts = [
        (added, ngettext("%(n)s person was added.", "%(n)s people were added.", added)),
        (
            invited,
            ngettext(
                "%(n)s person is invited by mail, and joins by its link.",
                "%(n)s people are invited by mail, and join by its link.",
                invited,
            ),
        ),
    ]
    messages.success(request, " ".join(text % {"n": count} for count, text in texts if count))
    return redirect("admin:accounts_group_class", group.pk)


def _render_form(  # noqa: PLR0913  what a page is made of
    admin: Any,
    request: HttpRequest,
    group: Group,
    form: RosterForm,
    *,
    codes: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    context = {
        "original": group,
        "form": form,
        "errors": [describe(code, FILE_ERRORS) for code in codes],
        "max_people": MAX_PEOPLE,
    }
    title = _("Add people to %(group)s") % {"group": group}
    response: HttpResponse = admin.render_page(
        request,
        "accounts/group/people",
        context,
        title=title,
        page_name=_("Add people"),
        status=status,
    )
    return response


def _render_plan(
    admin: Any, request: HttpRequest, roster: RosterImport, status: int = 200
) -> HttpResponse:
    if roster.committed_at is not None:
        return redirect("admin:accounts_group_class", roster.group_id)
    plan = plan_roster(roster, by=current_user(request), now=clock.now())
    counts = [
        (str(state), label, plan.counts[state])
        for state, label in STATUS_LABELS.items()
        if plan.counts[state]
    ]
    left_out = {RosterStatus.INVALID, RosterStatus.REPEATED}
    rows = [
        (
            person,
            STATUS_LABELS[person.status],
            describe(person.reason or person.remark, REASONS)
            if person.reason or person.remark
            else "",
        )
        for person in sorted(plan.people, key=lambda person: person.status not in left_out)
    ]
    context = {
        "original": roster.group,
        "roster": roster,
        "plan": plan,
        "counts": counts,
        "rows": rows,
        "role": Role(roster.role).label,
    }
    title = _("What the list does to %(group)s") % {"group": roster.group}
    response: HttpResponse = admin.render_page(
        request,
        "accounts/group/plan",
        context,
        title=title,
        page_name=_("What the list does"),
        status=status,
    )
    return response
