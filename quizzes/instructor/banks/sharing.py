"""The page on which a bank is shared: with whom it is, and a form that changes it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import groups_taught
from accounts.models import User
from quizzes.bank.models import Bank, BankRight, BankShare
from quizzes.bank.sharing import find_teacher, share, stop_sharing
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import select, text_input
from quizzes.lib.errors import Invalid, NotFound
from quizzes.presentation.messages.sentences import describe

PERSON, EVERYONE = "person", "everyone"
RIGHTS: Mapping[str, Promise] = {
    BankRight.USE: gettext_lazy("see the keys and use the questions in quizzes"),
    BankRight.EDIT: gettext_lazy("also change the bank and share it (editor)"),
}
ERRORS: Mapping[str, Promise] = {
    "share_person_does_not_teach": gettext_lazy("Nobody who teaches here has this address."),
    "share_editing_is_named": gettext_lazy("Editors are named: a person, or a class."),
}


class ShareForm(forms.Form):
    """With whom a bank is to be shared, and what for."""

    audience = forms.ChoiceField(label=gettext_lazy("Share with"), widget=select)
    email = forms.EmailField(
        label=gettext_lazy("E-mail of the person"), required=False, widget=text_input
    )
    right = forms.ChoiceField(
        label=gettext_lazy("They may"),
        choices=list(RIGHTS.items()),
        initial=BankRight.USE,
        widget=forms.RadioSelect,
    )

    def __init__(self, *arguments: Any, author: User, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.groups = {str(group.pk): group for group in groups_taught(author)}
        self.fields["audience"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            (PERSON, _("a person who teaches")),
            *(
                (pk, _("the instructors of %(group)s") % {"group": group})
                for pk, group in self.groups.items()
            ),
            (EVERYONE, _("everyone who teaches")),
        ]

    def clean(self) -> dict[str, Any]:
        """Ask for the address of a person, and for no other."""
        cleaned = super().clean() or {}
        if cleaned.get("audience") == PERSON and "email" in cleaned and not cleaned["email"]:
            self.add_error("email", _("Type the address of the person."))
        return cleaned

    def share(self, bank: Bank, author: User) -> None:
        """Share the bank as the form says. What the service refuses: Invalid."""
        audience, right = self.cleaned_data["audience"], BankRight(self.cleaned_data["right"])
        person = None
        if audience == PERSON:
            person = find_teacher(self.cleaned_data["email"])
        group = self.groups.get(audience)
        share(bank=bank, right=right, by=author, person=person, group=group)


def describe_audience(bank_share: BankShare) -> str:
    """Return with whom a share is."""
    if bank_share.person is not None:
        return f"{bank_share.person} ({bank_share.person.email})"
    if bank_share.group is not None:
        return _("the instructors of %(group)s") % {"group": bank_share.group}
    return _("everyone who teaches")


def list_shares(bank: Bank) -> list[tuple[BankShare, str, Promise]]:
    """Return the shares of a bank, each with its audience and its right in words."""
    shares = bank.shares.select_related("person", "group")
    return [(row, describe_audience(row), RIGHTS[row.right]) for row in shares]


def show_sharing(admin: Any, request: HttpRequest, bank: Bank) -> HttpResponse:
    """Show with whom a bank is shared; on POST share it, or take a share back."""
    author = current_user(request)
    may_edit = admin.has_change_permission(request, bank)
    if request.method != "POST":
        return _render(admin, request, bank, ShareForm(author=author), may_edit=may_edit)
    if not may_edit:
        raise PermissionDenied
    if "remove" in request.POST:
        return _take_back(admin, request, bank, author)
    form = ShareForm(request.POST, author=author)
    if form.is_valid():
        try:
            form.share(bank, author)
        except Invalid as error:
            place = "right" if error.code == "share_editing_is_named" else "email"
            form.add_error(place, describe(error.code, ERRORS))
        else:
            messages.success(request, _("The bank is shared."))
            return redirect("admin:bank_bank_sharing", bank.pk)
    return _render(admin, request, bank, form, may_edit=may_edit, status=422)


def _take_back(admin: Any, request: HttpRequest, bank: Bank, author: User) -> HttpResponse:
    try:
        stop_sharing(bank=bank, share_id=UUID(request.POST["remove"]), by=author)
    except (NotFound, ValueError) as error:
        raise Http404 from error
    messages.success(request, _("It is no longer shared with them."))
    if admin.has_view_permission(request, Bank.objects.get(pk=bank.pk)):
        return redirect("admin:bank_bank_sharing", bank.pk)
    return redirect("admin:bank_bank_changelist")


def _render(  # noqa: PLR0913  what a page is made of
    admin: Any,
    request: HttpRequest,
    bank: Bank,
    form: ShareForm,
    *,
    may_edit: bool,
    status: int = 200,
) -> HttpResponse:
    context = {
        "original": bank,
        "may_edit": may_edit,
        "form": form,
        "shares": list_shares(bank),
    }
    title = _("Sharing of %(bank)s") % {"bank": bank}
    response: HttpResponse = admin.render_page(
        request,
        "bank/bank/sharing",
        context,
        title=title,
        page_name=_("Sharing"),
        status=status,
    )
    return response
