"""People and terms: for administrators, and for nobody else."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.access import UserOrAnonymous, is_administrator
from accounts.account_audit import record_password_change
from accounts.addresses import normalize
from accounts.classes import save_term
from accounts.models import Membership, Term, User
from accounts.people import save_person
from accounts.reauthentication import reauthentication_required
from accounts.second_factors import list_second_factors, remove_second_factors
from accounts.selectors import list_devices
from accounts.services import sign_out_device, sign_out_elsewhere
from quizzes.instructor.admin_base import ModelAdmin, RowForm, TabularInline
from quizzes.instructor.permissions import current_user
from quizzes.instructor.personal_data_actions import erase_people, export_people
from quizzes.instructor.theme import (
    ModelForm,
    PasswordForm,
    ThemedUserChangeForm,
    ThemedUserCreationForm,
    switch,
    text_input,
)
from quizzes.lib import clock


class _NormalizedEmailForm(ModelForm):
    """One address written in two ways is one person."""

    def clean_email(self) -> str:
        return normalize(str(self.cleaned_data["email"]))


class PersonPasswordForm(PasswordForm):
    """Another password for a person, who is told by mail."""

    def save(self, commit: bool = True) -> User:
        """Save it, and record that."""
        with transaction.atomic():
            user: User = super().save(commit)
            record_password_change(user)
        return user


class PersonCreationForm(_NormalizedEmailForm, ThemedUserCreationForm):
    """Asks for an address and a first password."""

    class Meta:
        model = User
        fields = ("email", "name", "school_id")


class PersonChangeForm(_NormalizedEmailForm, ThemedUserChangeForm):
    """Everything but the password, which has a form of its own."""

    address_confirmed = forms.BooleanField(
        required=False,
        label=_("Address confirmed"),
        widget=switch,
        help_text=_("Tick it only if you know that this address belongs to this person."),
    )
    ticked_for = forms.CharField(required=False, widget=forms.HiddenInput)
    """The address that stood beside the tick: another one needs a tick of its own."""

    class Meta:
        model = User
        fields = (
            *("email", "name", "school_id"),
            *("language", "time_zone", "is_active", "may_make_classes", "is_superuser"),
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["address_confirmed"] = self.instance.is_confirmed
        self.initial["ticked_for"] = self.instance.email

    def clean(self) -> dict[str, Any]:
        """Refuse to let somebody run the site whose address may be another's."""
        cleaned = super().clean() or self.cleaned_data
        email = cleaned.get("email")
        if email and cleaned.get("address_confirmed") and cleaned.get("ticked_for") != email:
            self._ask_for_another_tick(email)
        elif cleaned.get("is_superuser") and not cleaned.get("address_confirmed"):
            text = _("Their address is not confirmed: somebody else may have made this account.")
            self.add_error("is_superuser", text)
        return cleaned

    def _ask_for_another_tick(self, email: str) -> None:
        """Refuse the tick of the address before; the form comes again with the box empty."""
        text = _("The address has changed. Tick the box again if you know that it is theirs.")
        self.add_error("address_confirmed", text)
        tick = self.add_prefix("address_confirmed")
        sent = {name: value for name, value in self.data.items() if name != tick}
        self.data = sent | {self.add_prefix("ticked_for"): email}


def describe_address_state(person: User) -> str:
    """Return the state of a person's address in words."""
    return str(_("confirmed") if person.is_confirmed else _("not confirmed"))


class AdministratorsAdmin(ModelAdmin):
    """Rows that administrators see and change, and nobody else."""

    administrators_only = True

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Any]:
        """Return all rows, to administrators."""
        return self.rows() if is_administrator(person) else self.rows().none()

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[Any]:
        """Return the same."""
        return self.visible_to(person)

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person runs the site."""
        return is_administrator(person)

    @method_decorator(reauthentication_required("POST"))
    def changeform_view(self, *args: Any, **kwargs: Any) -> Any:
        """Change rights and classes only soon after the administrator has said who they are."""
        return super().changeform_view(*args, **kwargs)


@admin.register(User)
class PersonAdmin(UserAdmin, AdministratorsAdmin):  # type: ignore[type-arg]  # not generic when run
    """Who may sign in. A person who leaves is made inactive: their attempts stay."""

    form = PersonChangeForm
    add_form = PersonCreationForm
    change_password_form = PersonPasswordForm
    instead_of_deleting = _(
        "People are not deleted, because results rest on them. Select the person in the list and"
        " choose “Erase…”, or make them inactive."
    )
    list_display = (
        *("email", "address_state", "name", "school_id", "roles"),
        *("is_active", "is_superuser", "date_joined"),
    )
    list_filter = ("is_active", "may_make_classes", "is_superuser", "memberships__role")
    search_fields = ("email", "name", "school_id")
    actions = ("remove_second_factors", export_people, erase_people)
    readonly_fields = ("second_factors", "devices")
    ordering = ("email",)
    filter_horizontal = ()
    fieldsets = (
        (
            None,
            {
                "fields": (
                    *("email", "address_confirmed", "ticked_for", "password"),
                    ("name", "school_id"),
                )
            },
        ),
        (_("Words and times"), {"fields": (("language", "time_zone"),)}),
        (_("Rights"), {"fields": ("is_active", "may_make_classes", "is_superuser")}),
        (_("Signing in"), {"fields": ("second_factors", "devices")}),
    )
    add_fieldsets = (
        (
            None,
            {"fields": ("email", "name", "school_id", "usable_password", "password1", "password2")},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Prefetch the memberships: one query, however many people. Guests are not among them."""
        return (
            super()
            .get_queryset(request)
            .filter(guest_since=None)
            .prefetch_related("memberships__group")
        )

    @method_decorator(reauthentication_required())
    def user_change_password(self, *args: Any, **kwargs: Any) -> Any:
        """Set a password only soon after the administrator has said who they are."""
        return super().user_change_password(*args, **kwargs)

    @admin.action(description=_("Remove the second factors"), permissions=["change"])
    @method_decorator(reauthentication_required())
    def remove_second_factors(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Let people in by their password alone who have lost their device; they are told."""
        for person in people:
            removed = remove_second_factors(user=person, by=current_user(request))
            text = _("%(person)s: %(count)s second factors removed.")
            messages.success(request, text % {"person": person, "count": removed})

    def get_urls(self) -> list[URLPattern]:
        """Add the page of a person's devices."""
        view = self.admin_site.admin_view(self.devices_view)
        page = path("<int:pk>/devices/", view, name="accounts_user_devices")
        return [page, *super().get_urls()]

    @method_decorator(reauthentication_required("POST"))
    def devices_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show where a person is signed in; by POST, sign them out on one device or on all."""
        person = self.get_row(request, pk)
        by, here = current_user(request), request.session.session_key or ""
        if request.method == "POST":
            device = request.POST.get("device", "")
            if device:
                sign_out_device(user=person, device=device, here=here, by=by)
            else:
                sign_out_elsewhere(user=person, here=here, by=by)
            messages.success(request, _("Signed out there."))
            return redirect("admin:accounts_user_devices", pk)
        devices = list_devices(person, here=here, now=clock.now())
        title = _("Devices of %(person)s") % {"person": person}
        others = any(not device.here for device in devices)
        context = {"devices": devices, "others": others, "person": person}
        return self.render_page(request, "accounts/user/devices", context, title=title)

    @admin.display(description=_("Second factors"))
    def second_factors(self, person: User) -> str:
        """Return which second factors a person has."""
        names = {"totp": _("app"), "webauthn": _("passkey")}
        return ", ".join(str(names[row.type]) for row in list_second_factors(person)) or "–"

    @admin.display(description=_("Devices"))
    def devices(self, person: User) -> str:
        """Return a link to where they are signed in."""
        if not person.pk:
            return "–"
        address = reverse("admin:accounts_user_devices", args=[person.pk])
        return format_html('<a href="{}">{}</a>', address, _("Where they are signed in"))

    @admin.display(description=_("Classes"))
    def roles(self, person: User) -> str:
        """Return the person's groups, each with the role."""
        return ", ".join(
            f"{membership.group} ({membership.get_role_display()})"
            for membership in person.memberships.all()
        )

    @admin.display(description=_("Address"))
    def address_state(self, person: User) -> str:
        """Return whether the address is confirmed, in words."""
        return describe_address_state(person)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account. An administrator who makes one vouches for its address."""
        confirmed = form.cleaned_data["address_confirmed"] if change else True
        save_person(person=obj, confirmed=confirmed, by=current_user(request))


class PersonField(forms.ModelChoiceField):  # type: ignore[type-arg]  # not generic when run
    """A person, by address, however it is written."""

    def to_python(self, value: Any) -> Any:
        """Write the address as it is kept."""
        return super().to_python(normalize(value) if isinstance(value, str) else value)


class MembershipForm(RowForm):
    """A person is named by address: a list to choose from would be everybody."""

    user = PersonField(
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
    fields = ("user", "role", "address_state")
    readonly_fields = ("address_state",)

    @admin.display(description=_("Address"))
    def address_state(self, membership: Membership) -> str:
        """Return whether the address is confirmed, in words: the role counts only then."""
        return describe_address_state(membership.user) if membership.pk else "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        """Fetch the people in the same query."""
        return (
            super()
            .get_queryset(request)
            .select_related("user", "group")
            .order_by("role", "user__name")
        )


@admin.register(Term)
class TermAdmin(AdministratorsAdmin):
    """Parts of the year, which classes are listed by."""

    list_display = ("name", "begins_on", "ends_on")
    search_fields = ("name",)
    fields = ("name", "begins_on", "ends_on")

    def save_model(self, request: HttpRequest, obj: Term, form: Any, change: bool) -> None:
        """Save it."""
        save_term(term=obj, by=current_user(request))
