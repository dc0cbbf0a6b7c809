"""Classes: for those who teach them, and administrators; what they do is in `accounts.classes`."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from accounts.access import UserOrAnonymous, can_make_class, groups_overseen, groups_taught
from accounts.classes import create_class, is_name_reserved, update_class
from accounts.models import Group, Membership, User
from accounts.reauthentication import reauthentication_required
from accounts.selectors import with_people_counts
from accounts.services import add_to_group, remove_from_group
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.classes import (
    class_page,
    grade_scheme_page,
    gradebook_export,
    gradebook_page,
    people_page,
)
from quizzes.instructor.people import MembershipInline
from quizzes.instructor.permissions import current_user, get_permissions

ARCHIVED, ALL = "archived", "all"


class ArchiveFilter(admin.SimpleListFilter):
    """The classes that meet now, unless others are asked for."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Return the choices beside the current ones."""
        return [(ARCHIVED, _("archived")), (ALL, _("all"))]

    def choices(self, changelist: Any) -> Any:
        """Call the first choice by what it shows."""
        first, *others = super().choices(changelist)
        yield {**first, "display": _("current")}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the classes of that state."""
        if self.value() == ALL:
            return queryset
        return queryset.filter(archived_at__isnull=self.value() != ARCHIVED)


class ClassForm(ModelForm):  # type: ignore[type-arg]  # not generic at run time
    """The name and term of a class; `by` is set by the admin."""

    by: ClassVar[User]

    def clean_name(self) -> str:
        """Refuse a name that an identity provider gives roles by."""
        name = str(self.cleaned_data["name"])
        if name != self.initial.get("name") and is_name_reserved(name, by=self.by):
            raise ValidationError(
                _("This name is kept for people who sign in by the school. Choose another."),
                code="class_name_reserved",
            )
        return name


@admin.register(Group)
class GroupAdmin(ModelAdmin):
    """The classes that one teaches. Administrators also enter people by hand."""

    instead_of_deleting = _(
        "Classes are not deleted, because quizzes and results rest on them. Archive the class, or"
        " remove its people."
    )
    list_display = ("class_name", "term", "learners", "staff", "is_current")
    list_display_links = None
    list_filter = (ArchiveFilter, "term")
    list_select_related = ("term",)
    search_fields = ("name",)
    fields = ("name", "term")
    form = ClassForm
    ordering = ("name",)

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Group]:
        """Return those that this person teaches."""
        return groups_taught(person)

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[Group]:
        """Return those of them that are not archived."""
        return groups_taught(person).filter(archived_at=None)

    def is_open_to(self, request: HttpRequest) -> bool:
        """Return whether this person teaches, or may make their first class."""
        return get_permissions(request).can_make_class

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person may make classes."""
        return can_make_class(person)

    def get_inlines(self, request: HttpRequest, obj: Group | None) -> Any:
        """Let administrators enter people who are not asked; instructors invite them."""
        return [MembershipInline] if get_permissions(request).is_administrator else []

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        """Count its people, a column each."""
        return with_people_counts(super().get_queryset(request))

    def get_urls(self) -> list[URLPattern]:
        """Add the page of a class, and adding people."""
        view, people = self.admin_site.admin_view, csrf_exempt(self.people_view)
        return [
            path("<int:pk>/class/", view(self.class_view), name="accounts_group_class"),
            path("<int:pk>/gradebook/", view(self.gradebook_view), name="accounts_group_gradebook"),
            path(
                "<int:pk>/gradebook/export/",
                view(self.gradebook_export_view),
                name="accounts_group_gradebook_export",
            ),
            path(
                "<int:pk>/gradebook/total/",
                view(self.grade_scheme_view),
                name="accounts_group_grade_scheme",
            ),
            # Exempt: a file is in the body; the page looks for the token once it knows the sender.
            path("<int:pk>/people/", view(people), name="accounts_group_people"),
            *super().get_urls(),
        ]

    @method_decorator(reauthentication_required("POST"))
    def class_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a class and who is in it; on POST change who is, the code, or the archive."""
        return class_page.show_class(self, request, self.get_row(request, pk))

    def gradebook_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how the learners of a class stand at its quizzes."""
        return gradebook_page.show_gradebook(self, request, _get_overseen_class(request, pk))

    @method_decorator(reauthentication_required())
    def gradebook_export_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Return the gradebook of a class as a file."""
        return gradebook_export.export_gradebook(request, _get_overseen_class(request, pk))

    def grade_scheme_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how the total of a class is made, and change it."""
        return grade_scheme_page.show_grade_scheme(self, request, self.get_row(request, pk))

    def people_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take a list of people, show what it would do, and do it."""
        return people_page.show_people(self, request, self.get_row(request, pk))

    @method_decorator(reauthentication_required("POST"))
    def changeform_view(self, *args: Any, **kwargs: Any) -> Any:
        """Change classes only soon after one has said who one is."""
        return super().changeform_view(*args, **kwargs)

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Return the form with the person who fills it in."""
        form = super().get_form(request, *args, **kwargs)
        return type(form.__name__, (form,), {"by": current_user(request)})

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """Leave out who came and left: the audit log names them, where an erasure finds them."""
        return super().construct_change_message(request, form, [], add)

    def save_model(self, request: HttpRequest, obj: Group, form: Any, change: bool) -> None:
        """Make or change a class; who makes one teaches it, unless they run the site."""
        by = current_user(request)
        if change:
            update_class(group=obj, name=obj.name, term=obj.term, by=by)
        else:
            obj.pk = create_class(name=obj.name, term=obj.term, by=by).pk

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Enter who came, changed and left; warn of those whose role waits for their address."""
        by, group = current_user(request), form.instance
        before = Membership.objects.filter(group=group).select_related("user").in_bulk()
        formset.save(commit=False)
        replaced = [row for row, fields in formset.changed_objects if "user" in fields]
        # All who leave, before anybody comes: two rows may have exchanged their people.
        for membership in (*formset.deleted_objects, *replaced):
            remove_from_group(user=before[membership.pk].user, group=group, by=by)
        saved = [*formset.new_objects, *(row for row, _ in formset.changed_objects)]
        for membership in saved:
            add_to_group(user=membership.user, group=group, role=membership.role, by=by)
        waiting = [row.user.email for row in saved if not row.user.is_confirmed]
        if waiting:
            text = _("Not confirmed, so their role waits until they have confirmed: %(people)s")
            messages.warning(request, text % {"people": ", ".join(waiting)})

    def response_add(
        self, request: HttpRequest, obj: Group, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on to where people are added."""
        return redirect("admin:accounts_group_people", obj.pk)

    def response_change(self, request: HttpRequest, obj: Group) -> HttpResponse:
        """Go back to the page of the class."""
        if "_continue" in request.POST:
            return super().response_change(request, obj)
        return redirect("admin:accounts_group_class", obj.pk)

    @admin.display(description=_("class"), ordering="name")
    def class_name(self, group: Group) -> str:
        """Return the name, which leads to the page of the class."""
        page = reverse("admin:accounts_group_class", args=[group.pk])
        return format_html('<a href="{}">{}</a>', page, group.name)

    @admin.display(description=_("Learners"), ordering="learner_count")
    def learners(self, group: Any) -> int:
        """Return how many learn here."""
        return int(group.learner_count)

    @admin.display(description=_("Instructors and assistants"), ordering="staff_count")
    def staff(self, group: Any) -> int:
        """Return how many teach here or assist."""
        return int(group.staff_count)

    @admin.display(description=_("state"))
    def is_current(self, group: Group) -> str:
        """Return the state in words."""
        return str(_("archived") if group.archived_at else _("current"))


def _get_overseen_class(request: HttpRequest, pk: int) -> Group:
    """Return a class that this person teaches, or assists in; else: 404."""
    return get_object_or_404(groups_overseen(request.user), pk=pk)
