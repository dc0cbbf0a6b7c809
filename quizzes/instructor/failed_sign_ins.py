"""Failed sign-ins of the people one oversees: who is locked out, and unlocking them in an exam."""

from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import login_throttle
from accounts.access import UserOrAnonymous, people_overseen_by
from accounts.models import FailedLogins, User
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user


@admin.register(FailedLogins)
class FailedLoginsAdmin(ModelAdmin):
    """Counts that hold for a quarter of an hour, of the learners whom a person oversees."""

    list_display = ("person", "attempts", "updated_at", "locked")
    list_display_links = None
    search_fields = ("user__email", "user__name")
    ordering = ("-updated_at",)
    assistants_too = True  # they invigilate
    actions = ("unlock",)

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[Any]:
        """Return the counts of the learners whom this person oversees; administrators see all."""
        since = timezone.now() - login_throttle.WINDOW
        rows = FailedLogins.objects.filter(user__isnull=False, updated_at__gte=since)
        return rows.select_related("user").filter(user__in=people_overseen_by(person))

    def editable_by(self, person: UserOrAnonymous, /) -> QuerySet[Any]:
        """Return the counts that this person may forget: those that they see."""
        return self.visible_to(person)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show no page of a single count: the list says all of it."""
        raise Http404

    @admin.display(description=_("Person"), ordering="user__email")
    def person(self, row: FailedLogins) -> str:
        """Return who it is."""
        return str(row.user)

    @admin.display(description=_("Failed sign-ins"))
    def attempts(self, row: FailedLogins) -> int:
        """Return how many attempts count now."""
        return login_throttle.count_recent(row, timezone.now())

    @admin.display(description=_("Locked until"))
    def locked(self, row: FailedLogins) -> datetime | None:
        """Return when the next attempt is possible; nothing where one is possible now."""
        return login_throttle.locked_until(row, timezone.now())

    @admin.action(description=_("Unlock: let these people try again"), permissions=["change"])
    def unlock(self, request: HttpRequest, rows: QuerySet[FailedLogins]) -> None:
        """Forget the failed attempts of these people, wherever they were made."""
        people = list(User.objects.filter(pk__in=rows.values("user")))
        with transaction.atomic():
            for person in people:
                login_throttle.unlock(user=person, by=current_user(request))
        text = ngettext(
            "%(count)s person can sign in again.",
            "%(count)s people can sign in again.",
            len(people),
        )
        messages.success(request, text % {"count": len(people)})
