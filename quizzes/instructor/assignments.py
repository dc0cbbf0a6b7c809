"""Giving quizzes to groups, and more time to people: what decides who may attempt what."""

from abc import abstractmethod
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.access import UserOrAnonymous, groups_taught, is_instructor, learners_taught
from accounts.models import User
from quizzes.attempts.deadline_settings import (
    save_accommodation,
    save_assignment,
    save_standing_accommodation,
)
from quizzes.attempts.models import Accommodation, Assignment, StandingAccommodation, State
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import Audience, Quiz


def report_extended_attempts(moved: int, request: HttpRequest) -> None:
    """Say how many open attempts have more time, if any."""
    if moved:
        message = ngettext(
            "%(n)s open attempt has more time from now on.",
            "%(n)s open attempts have more time from now on.",
            moved,
        )
        messages.success(request, message % {"n": moved})


def name_with_state(person: User) -> str:
    """Return how a person is named where one is chosen: with an address that may not be theirs."""
    name = f"{person.name} ({person.email})" if person.name else person.email
    return name if person.is_confirmed else _("%(name)s, address not confirmed") % {"name": name}


class _AssignmentBaseAdmin(ModelAdmin):
    """Rows that tie a quiz one may read to people one teaches."""

    list_select_related = True
    fixed_fields: ClassVar[tuple[str, ...]] = ()

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[Any]:
        """Return the rows that this person may read."""
        return self.visible_to(person)

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person teaches."""
        return is_instructor(person)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer only one's own quizzes, groups and learners."""
        kwargs["queryset"] = {
            "quiz": visible_to(request.user).filter(retired_at=None),
            "group": groups_taught(request.user),
            "learner": learners_taught(request.user).order_by("name", "email"),
        }[db_field.name]
        field: Any = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "learner":
            field.label_from_instance = name_with_state
        return field

    @abstractmethod
    def save_row(self, row: Any, by: User) -> int:
        """Save a row; return how many open attempts have more time for it."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save it, and say how many open attempts it reaches."""
        report_extended_attempts(self.save_row(obj, current_user(request)), request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Let nobody change the quiz, the group or the learner: that would be another row."""
        return self.fixed_fields if obj else ()


@admin.register(Assignment)
class AssignmentAdmin(_AssignmentBaseAdmin):
    """Which group has which quiz, and when it is open to it."""

    list_display = ("quiz", "group", "unconfirmed_count", "opens_at", "closes_at")
    list_filter = (("group", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("quiz__slug", "group__name")
    fields = ("quiz", "group", "opens_at", "closes_at")
    fixed_fields = ("quiz", "group")

    def save_row(self, row: Assignment, by: User) -> int:
        """Save it."""
        return save_assignment(assignment=row, by=by, now=clock.now())

    def response_add(
        self, request: HttpRequest, obj: Assignment, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on to the class, where its quizzes are."""
        if not {"_addanother", "_continue"}.isdisjoint(request.POST):
            return super().response_add(request, obj, post_url_continue)
        sentence = _("%(group)s has the quiz “%(quiz)s”.")
        messages.success(request, sentence % {"group": obj.group, "quiz": obj.quiz})
        return redirect("admin:accounts_group_class", obj.group_id)

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Assignment]:
        """Return those of the groups that this person teaches."""
        return Assignment.objects.filter(group__in=groups_taught(person))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Count those of the group who do not have it yet."""
        unconfirmed = ~Q(
            group__memberships__user__email=F("group__memberships__user__confirmed_email")
        )
        unconfirmed_count = Count(
            "group__memberships", unconfirmed & Q(group__memberships__isnull=False)
        )
        rows: QuerySet[Any] = super().get_queryset(request)
        counted: QuerySet[Any] = rows.annotate(waiting_count=unconfirmed_count)
        return counted

    @admin.display(description=gettext_lazy("Address not confirmed"))
    def unconfirmed_count(self, grant: Any) -> int:
        """Return how many people of the group do not get it before they confirm their address."""
        return int(grant.waiting_count)


@admin.register(Accommodation)
class AccommodationAdmin(_AssignmentBaseAdmin):
    """More time, more attempts or a later closing for one person."""

    list_display = ("person", "quiz", "time_percent", "extra_attempts", "closes_at", "reason")
    search_fields = ("quiz__slug", "learner__name", "learner__email")
    fixed_fields = ("quiz", "learner")
    fields = ("quiz", "learner", "time_percent", "extra_attempts", "closes_at", "reason")

    def save_row(self, row: Accommodation, by: User) -> int:
        """Save it."""
        return save_accommodation(accommodation=row, by=by, now=clock.now())

    @admin.display(description=gettext_lazy("learner"), ordering="learner__name")
    def person(self, grant: Accommodation) -> str:
        """Return the name, and whether the address is confirmed."""
        return name_with_state(grant.learner)

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Accommodation]:
        """Return those of this person's learners, on quizzes they may read."""
        return Accommodation.objects.filter(
            quiz__in=visible_to(person), learner__in=learners_taught(person)
        )


@admin.register(StandingAccommodation)
class StandingAccommodationAdmin(_AssignmentBaseAdmin):
    """More time for one person at every quiz."""

    list_display = ("person", "time_percent", "extra_minutes", "window_minutes", "reason")
    search_fields = ("learner__name", "learner__email")
    fixed_fields = ("learner",)
    fields = ("learner", "time_percent", "extra_minutes", "window_minutes", "reason")

    def save_row(self, row: StandingAccommodation, by: User) -> int:
        """Save it."""
        return save_standing_accommodation(accommodation=row, by=by, now=clock.now())

    @admin.display(description=gettext_lazy("learner"), ordering="learner__name")
    def person(self, grant: StandingAccommodation) -> str:
        """Return the name, and whether the address is confirmed."""
        return name_with_state(grant.learner)

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[StandingAccommodation]:
        """Return those of this person's learners."""
        return StandingAccommodation.objects.filter(learner__in=learners_taught(person))


def load_assignments(quiz: Quiz, request: HttpRequest) -> dict[str, Any]:
    """Return for a quiz's page to whom it is assigned, and how many attempts there are."""
    rows = Assignment.objects.filter(quiz=quiz, group__in=groups_taught(request.user))
    is_open = Q(state=State.OPEN)
    return {
        "assignments": rows.select_related("group"),
        "is_unassigned": is_unassigned(quiz),
        "attempt_counts": quiz.attempts.filter(is_staff_attempt=False).aggregate(
            total=Count("pk"), open=Count("pk", is_open)
        ),
    }


def is_unassigned(quiz: Quiz) -> bool:
    """Return whether a quiz is published for classes, and no class has it."""
    if quiz.current_id is None or quiz.retired_at or quiz.audience != Audience.GROUPS:
        return False
    return not quiz.assignments.exists()
