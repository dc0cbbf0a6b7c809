"""People, groups and memberships: for administrators, and for nobody else."""

from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.access import Person, is_administrator
from accounts.backoffice import (
    ModelAdmin,
    ModelForm,
    PasswordForm,
    PersonChangingForm,
    PersonMakingForm,
    RowForm,
    TabularInline,
    text_input,
)
from accounts.models import Group, Membership, Role, User


class _LowerCase(ModelForm):
    """One address in two cases is one person."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).strip().lower()


class MakingForm(_LowerCase, PersonMakingForm):
    """Asks for an address and a first password."""

    class Meta:
        model = User
        fields = ("email", "name")


class ChangingForm(_LowerCase, PersonChangingForm):
    """Everything but the password, which has a form of its own."""

    class Meta:
        model = User
        fields = ("email", "name", "language", "time_zone", "is_active", "is_superuser")


class _ForAdministrators(ModelAdmin):
    administrators_only = True

    def visible(self, person: Person) -> QuerySet[Any]:
        return self.rows() if is_administrator(person) else self.rows().none()

    def editable(self, person: Person) -> QuerySet[Any]:
        return self.visible(person)

    def may_add(self, person: Person) -> bool:
        return is_administrator(person)


@admin.register(User)
class PersonAdmin(UserAdmin, _ForAdministrators):  # type: ignore[type-arg]  # not generic when run
    """Who may sign in. A person who leaves is made inactive: their attempts stay."""

    form = ChangingForm
    add_form = MakingForm
    change_password_form = PasswordForm
    list_display = ("email", "name", "roles", "is_active", "is_superuser", "date_joined")
    list_filter = ("is_active", "is_superuser", "memberships__role")
    search_fields = ("email", "name")
    ordering = ("email",)
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("email", "password", "name", ("language", "time_zone"))}),
        (_("Rights"), {"fields": ("is_active", "is_superuser")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Bring the memberships along: one query, however many people."""
        return super().get_queryset(request).prefetch_related("memberships__group")

    @admin.display(description=_("Groups"))
    def roles(self, person: User) -> str:
        """Say what the person is where."""
        return ", ".join(
            f"{one.group} ({one.get_role_display()})" for one in person.memberships.all()
        )

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Keep the sign-in addresses in step, so that an old one no longer opens the door."""
        super().save_model(request, obj, form, change)
        if not change or "email" in form.changed_data:
            EmailAddress.objects.filter(user=obj).delete()
            EmailAddress.objects.create(user=obj, email=obj.email, primary=True, verified=True)


class MembershipForm(RowForm):
    """A person is named by address: a list to choose from would be everybody."""

    user = forms.ModelChoiceField(
        User.objects.all(), label=_("Person's e-mail"), to_field_name="email", widget=text_input
    )

    class Meta:
        model = Membership
        fields = ("user", "role")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["user"] = self.instance.user


class MembershipInline(TabularInline):
    """Who is in the group, as what."""

    model = Membership
    form = MembershipForm
    extra = 2
    verbose_name_plural = _("people")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        """Bring the people along."""
        return (
            super()
            .get_queryset(request)
            .select_related("user", "group")
            .order_by("role", "user__name")
        )


@admin.register(Group)
class GroupAdmin(_ForAdministrators):
    """Classes and teams."""

    list_display = ("name", "learners", "instructors")
    search_fields = ("name",)
    fields = ("name",)
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        """Count its people, a column each."""
        rows: QuerySet[Group] = super().get_queryset(request)
        return rows.annotate(
            learner_count=Count("memberships", Q(memberships__role=Role.LEARNER)),
            instructor_count=Count("memberships", Q(memberships__role=Role.INSTRUCTOR)),
        )

    @admin.display(description=_("Learners"), ordering="learner_count")
    def learners(self, group: Any) -> int:
        """How many learn here."""
        return int(group.learner_count)

    @admin.display(description=_("Instructors"), ordering="instructor_count")
    def instructors(self, group: Any) -> int:
        """How many teach here."""
        return int(group.instructor_count)
