"""Copies and erasures on the administrators' pages: actions on people, requests, legal holds."""

from tempfile import TemporaryFile
from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from accounts.access import UserOrAnonymous, is_administrator
from accounts.models import User
from accounts.reauthentication import reauthentication_required
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.presentation.messages.privacy import describe_blocker
from quizzes.privacy.data_requests import refuse_erasure
from quizzes.privacy.legal_holds import end_hold, save_hold
from quizzes.privacy.models import DataRequest, LegalHold, RequestKind, RequestState
from quizzes.privacy.person_erasure import erase_person, plan_erasure
from quizzes.privacy.person_export import export_person


@admin.action(description=_("Download a copy of the data"), permissions=["change"])
@method_decorator(reauthentication_required())
def export_people(
    _page: ModelAdmin, request: HttpRequest, people: QuerySet[User]
) -> HttpResponseBase | None:
    """Send everything that is stored of one person as a ZIP; it is recorded."""
    if people.count() != 1:
        messages.error(request, _("Select one person: each copy is a file of its own."))
        return None
    person, file = people.get(), TemporaryFile()  # noqa: SIM115  the response closes it
    export_person(person=person, by=current_user(request), file=file, now=clock.now())
    file.seek(0)
    name = f"ochenta-data-{person.uuid}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@admin.action(description=_("Erase…"), permissions=["change"])
@method_decorator(reauthentication_required())
def erase_people(
    page: ModelAdmin, request: HttpRequest, people: QuerySet[User]
) -> HttpResponse | None:
    """Say what an erasure would do to these people; confirmed, do it."""
    if "confirmed" in request.POST:
        for person in people:
            _erase(request, person)
        return None
    plans = [(person, plan_erasure(person)) for person in people.order_by("email")]
    rows = [
        {
            "person": person,
            "plan": plan,
            "deleted": sum(plan.deleted.values()),
            "remaining": sum(plan.remaining.values()),
            "problems": [describe_blocker(code) for code in plan.blockers],
        }
        for person, plan in plans
    ]
    erasable = [person.pk for person, plan in plans if not plan.blockers]
    context = {"rows": rows, "erasable": erasable, "action": "erase_people"}
    return page.render_page(request, "accounts/user/erase", context, title=str(_("Erase people")))


def _erase(request: HttpRequest, person: User) -> None:
    before = str(person)
    try:
        erase_person(person=person, by=current_user(request), now=clock.now())
    except Refused as refused:
        text = f"{before}: {describe_blocker(refused.code)}"
        messages.error(request, text)
    else:
        messages.success(request, _("%(person)s is erased.") % {"person": before})


class _PrivacyAdmin(ModelAdmin):
    administrators_only = True

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[Any]:
        """Return all rows to administrators."""
        return self.rows() if is_administrator(person) else self.rows().none()

    def editable_by(self, person: UserOrAnonymous, /) -> QuerySet[Any]:
        """Return what administrators may change."""
        return self.visible_to(person)


@admin.register(DataRequest)
class DataRequestAdmin(_PrivacyAdmin):
    """What people asked for of their data; an erasure may be refused, with a reason."""

    list_display = ("person", "kind", "state", "created_at", "due_at", "finished_at", "reason")
    list_display_links = None
    list_filter = ("kind", "state")
    search_fields = ("person__email", "person__name")
    list_select_related = ("person",)
    actions = ("refuse",)

    @admin.action(description=_("Refuse…"), permissions=["change"])
    @method_decorator(reauthentication_required())
    def refuse(self, request: HttpRequest, rows: QuerySet[DataRequest]) -> HttpResponse | None:
        """Ask for the reason, and refuse erasures that wait."""
        waiting = rows.filter(kind=RequestKind.ERASURE, state=RequestState.WAITING)
        if not waiting:
            messages.error(request, _("Only erasures that wait can be refused."))
            return None
        if "reason" not in request.POST or not self._refuse(request, waiting):
            context = {"rows": waiting, "action": "refuse"}
            title = str(_("Refuse to erase"))
            return self.render_page(request, "privacy/refuse", context, title=title)
        return None

    def _refuse(self, request: HttpRequest, waiting: QuerySet[DataRequest]) -> bool:
        by, reason = current_user(request), request.POST["reason"]
        try:
            with transaction.atomic():
                for row in list(waiting):
                    refuse_erasure(request=row, by=by, reason=reason, now=clock.now())
        except Invalid:
            messages.error(request, _("Write the reason: the person reads it."))
            return False
        except NotFound:
            messages.error(request, _("Only erasures that wait can be refused."))
            return True
        messages.success(request, _("Refused; the person is told by mail."))
        return True


@admin.register(LegalHold)
class LegalHoldAdmin(_PrivacyAdmin):
    """People and classes of whom nothing is erased for now."""

    list_display = ("__str__", "reason", "created_at", "created_by")
    list_select_related = ("person", "group", "created_by")
    fields = ("person", "group", "reason")
    autocomplete_fields = ("person", "group")

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this is an administrator."""
        return is_administrator(person)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let administrators end a hold."""
        return is_administrator(request.user)

    @method_decorator(reauthentication_required("POST"))
    def changeform_view(self, *args: Any, **kwargs: Any) -> Any:
        """Save a hold only soon after the administrator has said who they are."""
        return super().changeform_view(*args, **kwargs)

    def save_model(self, request: HttpRequest, obj: LegalHold, form: Any, change: bool) -> None:
        """Save it."""
        save_hold(hold=obj, by=current_user(request))

    def delete_model(self, request: HttpRequest, obj: LegalHold) -> None:
        """End a hold."""
        end_hold(hold=obj, by=current_user(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[LegalHold]) -> None:
        """End several holds, each recorded."""
        for hold in queryset:
            self.delete_model(request, hold)
