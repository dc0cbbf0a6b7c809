"""Notifications: which mails learners got of their results and quizzes, and which not, and why."""

from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.access import UserOrAnonymous
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.notifications.access import list_overseen_notifications
from quizzes.notifications.models import Notification
from quizzes.notifications.services import send_again
from quizzes.presentation.messages.notifications import KIND_LABELS, describe_omission


class KindFilter(admin.SimpleListFilter):
    """What the mails are about."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Return the kinds by their names."""
        return list(KIND_LABELS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return those of a kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Notification)
class NotificationAdmin(ModelAdmin):
    """Instructors see those of the quizzes that they oversee, administrators all."""

    list_display = ("created", "recipient", "kind_label", "quiz", "state", "sent_at", "reason")
    list_display_links = None
    list_filter = ("state", KindFilter)
    search_fields = ("recipient__email", "recipient__name", "quiz__slug")
    ordering = ("-pk",)
    list_select_related = ("recipient", "quiz")
    assistants_too = True
    actions = ("send_again",)

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[Notification]:
        """Return those of the quizzes that this person oversees."""
        return list_overseen_notifications(person)

    def editable_by(self, person: UserOrAnonymous, /) -> QuerySet[Notification]:
        """Return those that this person may have sent again: all that they see."""
        return self.visible_to(person)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show no page of a single notification: the list says all of it."""
        raise Http404

    @admin.display(description=_("Created"), ordering="created_at")
    def created(self, notification: Notification) -> datetime:
        """Return since when it is there."""
        return notification.created_at

    @admin.display(description=_("kind"), ordering="kind")
    def kind_label(self, notification: Notification) -> str:
        """Return what it is about."""
        return str(KIND_LABELS[notification.kind])

    @admin.display(description=_("Reason"))
    def reason(self, notification: Notification) -> str:
        """Return why it was not sent, or not yet."""
        return describe_omission(notification.error)

    @admin.action(description=_("Try to send again"), permissions=["change"])
    def send_again(self, request: HttpRequest, rows: QuerySet[Notification]) -> None:
        """Have those sent that are in quarantine or were not sent."""
        chosen = list(rows.values_list("uuid", flat=True))
        try:
            count = send_again(notifications=chosen, by=current_user(request), now=clock.now())
        except NotFound:
            count = 0
        text = ngettext(
            "%(count)s notification is tried again within a minute.",
            "%(count)s notifications are tried again within a minute.",
            count,
        )
        messages.success(request, text % {"count": count})
        if left_out := len(chosen) - count:
            text = ngettext(
                "%(count)s was sent or waits; it stays as it is.",
                "%(count)s were sent or wait; they stay as they are.",
                left_out,
            )
            messages.warning(request, text % {"count": left_out})
