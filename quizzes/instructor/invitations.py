"""Invitations: whom one has invited into one's classes, what became of it, and a new one."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import invitations
from accounts.access import UserOrAnonymous, groups_taught, is_administrator, is_instructor
from accounts.models import Invitation, Role
from accounts.reauthentication import reauthentication_required
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import ModelForm
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused

REFUSALS: dict[str, Promise] = {
    "invitation_sent_often": _("This invitation was sent often enough; withdraw it first."),
    "invitations_too_many": _(
        "That would be more mails than one person may have sent in a day: go on tomorrow."
    ),
}


class InvitationForm(ModelForm):
    """Asks for an address, and for the class and the role there."""

    class Meta:
        model = Invitation
        fields = ("email", "name", "language", "group", "role")

    def clean(self) -> dict[str, Any]:
        """Have a class for each role but instructor; a class alone makes a learner."""
        cleaned = super().clean() or self.cleaned_data
        has_class_role = cleaned.get("role") not in {None, "", Role.INSTRUCTOR}
        if has_class_role and not cleaned.get("group") and "group" not in self.errors:
            self.add_error("group", _("A role is one in a class: choose the class."))
        if cleaned.get("group") and not cleaned.get("role"):
            cleaned["role"] = Role.LEARNER
        return cleaned


@admin.register(Invitation)
class InvitationAdmin(ModelAdmin):
    """Instructors see the invitations into their classes, administrators all."""

    form = InvitationForm
    list_display = ("email", "name", "group", "role", "state", "created_at", "invited_by")
    list_display_links = None
    search_fields = ("email", "name")
    list_filter = ("role",)
    ordering = ("-created_at",)
    fields = ("email", "name", "language", "group", "role")
    actions = ("send_again", "withdraw")

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[Invitation]:
        """Return those into the classes that this person teaches."""
        return invitations.visible_to(person)

    def editable_by(self, person: UserOrAnonymous, /) -> QuerySet[Invitation]:
        """Return those that this person may send again or withdraw: all that they see."""
        return self.visible_to(person)

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person invites at all."""
        return is_instructor(person)

    @method_decorator(reauthentication_required("POST"))
    def add_view(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Invite only soon after one has said who one is."""
        try:
            response: HttpResponse = super().add_view(*args, **kwargs)
        except Refused as refused:
            messages.error(args[0], str(REFUSALS[refused.code]))
            return redirect("admin:accounts_invitation_changelist")
        return response

    def change_view(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show no page of a single invitation: the list says all of it."""
        raise Http404

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the classes that one teaches; without one, only administrators invite."""
        if db_field.name == "group":
            kwargs["queryset"] = groups_taught(request.user)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "group":
            field.required = not is_administrator(request.user)
        return field

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Propose the language of the page."""
        return {"language": request.LANGUAGE_CODE, **super().get_changeform_initial_data(request)}

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        """Invite; one that waits already is sent again."""
        invitation = invitations.invite(
            by=current_user(request),
            email=obj.email,
            name=obj.name,
            language=obj.language,
            group=obj.group,
            role=form.cleaned_data["role"],
            now=clock.now(),
        )
        obj.pk = invitation.pk

    @admin.display(description=_("State"))
    def state(self, invitation: Invitation) -> str:
        """Return what became of an invitation, in a word."""
        return str(invitation.state_at(clock.now()).label)

    @admin.action(description=_("Send again, with a new link"), permissions=["change"])
    @method_decorator(reauthentication_required())
    def send_again(self, request: HttpRequest, rows: QuerySet[Invitation]) -> None:
        """Send those that can be accepted, or have expired, once more."""
        person, now, count = current_user(request), clock.now(), 0
        try:
            count = invitations.send_many_again(by=person, invitations=rows, now=now)
        except NotFound:
            pass
        except Refused as refused:
            messages.error(request, str(REFUSALS[refused.code]))
            return
        text = ngettext("%(count)s invitation sent.", "%(count)s invitations sent.", count)
        messages.success(request, text % {"count": count})
        if left_out := rows.count() - count:
            text = ngettext(
                "%(count)s was not sent: it is over, or was sent often enough.",
                "%(count)s were not sent: they are over, or were sent often enough.",
                left_out,
            )
            messages.warning(request, text % {"count": left_out})

    @admin.action(description=_("Withdraw"), permissions=["change"])
    def withdraw(self, request: HttpRequest, rows: QuerySet[Invitation]) -> None:
        """Make their links void."""
        person, now = current_user(request), clock.now()
        try:
            count = invitations.withdraw(by=person, invitations=rows, now=now)
        except NotFound:
            count = 0
        text = ngettext(
            "%(count)s invitation withdrawn.", "%(count)s invitations withdrawn.", count
        )
        messages.success(request, text % {"count": count})
