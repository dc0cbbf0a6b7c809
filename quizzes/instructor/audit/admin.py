"""The pages of the audit log: the list with its filters, one event, and all as a table."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.reauthentication import reauthentication_required
from quizzes.attempts.access import audit_events_visible_to, may_see_origin
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.services import record
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.audit.event_table import generate_lines
from quizzes.instructor.audit.event_view import list_changes
from quizzes.instructor.permissions import get_permissions
from quizzes.lib.read_replica import stream_from_replica
from quizzes.presentation.messages.audit import (
    AUDIT_LABELS,
    describe_actor,
    describe_audit_event,
)

OWN_LOOKUPS = ("code", "actor", "subject", "created_at")
ORIGIN = ("address",)
"""What only administrators may filter and search by: others do not see it."""


class CodeFilter(admin.SimpleListFilter):
    """What was done."""

    title = _("event")
    parameter_name = "code"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Return the codes by their names."""
        labels = [(code.value, str(label)) for code, label in AUDIT_LABELS.items()]
        return sorted(labels, key=lambda choice: choice[1].casefold())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the events of a code."""
        return queryset.filter(code=self.value()) if self.value() else queryset


@admin.register(AuditEvent)
class AuditEventAdmin(ModelAdmin):
    """Who did what, when and from where; for instructors what concerns their classes."""

    change_list_template = "admin/audit/auditevent/change_list.html"
    list_display = ("created_at", "sentence", "person", "origin")
    list_filter = (CodeFilter, ("created_at", admin.DateFieldListFilter))
    search_fields = ("actor_label", "subject_label")
    ordering = ("-created_at", "-pk")
    sortable_by = ("created_at",)

    visible_to = staticmethod(audit_events_visible_to)

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        """Search addresses too for those who see them."""
        return self.search_fields + (ORIGIN if get_permissions(request).is_administrator else ())

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Show the address to those who may filter by it."""
        columns = AuditEventAdmin.list_display
        return columns if get_permissions(request).is_administrator else columns[:-1]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the filters of the list, of a person, of a subject, and of an address."""
        is_administrator = get_permissions(request).is_administrator
        return lookup.split("__", maxsplit=1)[0] in (
            OWN_LOOKUPS + ORIGIN if is_administrator else OWN_LOOKUPS
        )

    def get_urls(self) -> list[URLPattern]:
        """Add the table of all events."""
        view = self.admin_site.admin_view(self.export_view)
        return [path("export/", view, name="audit_auditevent_export"), *super().get_urls()]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one event in the place of Django's form; there is nothing to fill in."""
        event = self.get_row(request, object_id)
        context = {
            "event": event,
            "actor": describe_actor(event),
            "changes": list_changes(event),
            "shows_origin": may_see_origin(request.user, event),
            "may_filter_origin": get_permissions(request).is_administrator,
        }
        title = describe_audit_event(event)
        return self.render_page(request, "audit/auditevent/event", context, title=title)

    @method_decorator(reauthentication_required())
    def export_view(self, request: HttpRequest) -> StreamingHttpResponse:
        """Return the events that the filters leave as CSV, and record that they were exported."""
        filters = {name: request.GET[name] for name in request.GET}
        record(AuditCode.AUDIT_EXPORTED, after={"filters": filters})
        events = self.get_changelist_instance(request).get_queryset(request)
        return StreamingHttpResponse(
            stream_from_replica(generate_lines(events, request.user)),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="audit-log.csv"'},
        )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: these rows never change."""
        return False

    @admin.display(description=_("event"))
    def sentence(self, event: AuditEvent) -> str:
        """Return what was done."""
        return describe_audit_event(event)

    @admin.display(description=_("person"))
    def person(self, event: AuditEvent) -> str:
        """Return who did it, with a link to all that they did."""
        if event.actor is None:
            return "–"
        return format_html('<a href="?actor={}">{}</a>', event.actor, event.actor_label)

    @admin.display(description=_("address"))
    def origin(self, event: AuditEvent) -> str:
        """Return from where, with a link to all that was done from there."""
        if not event.address:
            return "–"
        return format_html('<a href="?address={0}">{0}</a>', event.address)
