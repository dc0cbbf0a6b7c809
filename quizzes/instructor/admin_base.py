"""What the admin pages of all models share: rows by access, bounded search, times with their zone.

Nothing is served that answers by Django's own permissions.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views import main
from django.db.models import DateTimeField, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import zones
from accounts.access import UserOrAnonymous, groups_taught, is_instructor
from accounts.reauthentication import ReauthenticationPurpose, reauthentication_required
from quizzes.instructor.bounded_paginator import BoundedPaginator
from quizzes.instructor.permissions import get_permissions, name_page
from quizzes.instructor.theme import (
    ModelForm,
    ThemedAdmin,
    ThemedChangeList,
    ThemedStacked,
    ThemedTabular,
)
from quizzes.lib.read_replica import reads_from_replica

MAX_SEARCH_LENGTH = 200
"""Characters; each word of a search is a condition of its own over every field searched."""


def _ask_for_keys(view: Callable[..., Any]) -> Callable[..., Any]:
    """Have who may come in say again who they are; for others the page is not there, as ever."""
    asking = reauthentication_required(purpose=ReauthenticationPurpose.KEYS)(view)

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        is_insider = get_permissions(request).is_overseer
        return (asking if is_insider else view)(request, *args, **kwargs)

    return wrapped


def is_searchable(term: str) -> bool:
    """Return whether a search may be carried out."""
    return len(term) <= MAX_SEARCH_LENGTH and "\0" not in term


class SearchForm(main.ChangeListSearchForm):
    """The search of a list; one that is too long is told and not carried out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[main.SEARCH_VAR] = forms.CharField(
            required=False,
            strip=False,
            max_length=MAX_SEARCH_LENGTH,
            error_messages={
                "max_length": _(
                    "A search has %(limit_value)s characters at most; the whole list is shown."
                )
            },
        )


class ChangeList(ThemedChangeList):
    """A list with a search of bounded length, that offers to show all where it does not."""

    search_form_class = SearchForm

    def get_results(self, request: HttpRequest) -> None:
        """Load the rows; those of a list that nothing narrows are all there are."""
        super().get_results(request)
        if not self.query and not self.has_active_filters:
            self.full_result_count = self.result_count


class ModelAdmin(ThemedAdmin):
    """Answers by `visible_to` and `editable_by`, never by Django's permissions; denies by default.

    Nothing is ever deleted here: what is no longer wanted is retired.
    """

    administrators_only: ClassVar[bool] = False
    instead_of_deleting: ClassVar[Any] = _(
        "Nothing of this list is deleted, because other things rest on it."
    )
    assistants_too: ClassVar[bool] = False
    key_pages: ClassVar[frozenset[str]] = frozenset()
    """Names of the addresses whose pages show right answers: who opens them says who they are."""
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    paginator = BoundedPaginator
    show_full_result_count = False
    actions_on_top = True

    @property
    def urls(self) -> list[URLPattern]:
        """Return the addresses; those of `key_pages` ask again who it is, after hours."""
        patterns: list[URLPattern] = super().urls
        for pattern in patterns:
            if pattern.name in self.key_pages:
                pattern.callback = _ask_for_keys(pattern.callback)
        return patterns

    def rows(self) -> QuerySet[Any]:
        """Return all rows."""
        queryset: QuerySet[Any] = self.model._default_manager.all()
        return queryset

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[Any]:
        """Return the rows that this person may read."""
        return self.rows().none()

    def editable_by(self, person: UserOrAnonymous, /) -> QuerySet[Any]:
        """Return the rows that this person may change."""
        return self.rows().none()

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person may add rows."""
        return False

    def formfield_for_dbfield(
        self, db_field: Any, request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        """Add to each time field in which zone it is read."""
        field: forms.Field | None = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and isinstance(db_field, DateTimeField):
            text = _(
                "In your time zone: %(zone)s, now %(abbreviation)s. Change it in your profile."
            )
            now = timezone.now()
            zone = {
                "zone": timezone.get_current_timezone_name(),
                "abbreviation": zones.abbreviate(now),
            }
            field.help_text = " ".join(filter(None, (str(field.help_text), text % zone)))
        return field

    def is_open_to(self, request: HttpRequest) -> bool:
        """Return whether this page is for this person's role at all."""
        permissions = get_permissions(request)
        if self.administrators_only:
            return permissions.is_administrator
        return permissions.is_overseer if self.assistants_too else permissions.is_instructor

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows that may be read, in the page's order."""
        if not self.is_open_to(request):
            return self.rows().none()
        order = self.get_ordering(request)
        rows = self.visible_to(request.user)
        return rows.order_by(*order) if order else rows

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ThemedChangeList]:
        """Return the list whose search is bounded."""
        return ChangeList

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> HttpResponse | None:
        """Carry out an action; none is for all rows of a list that are not all counted."""
        if forms.BooleanField().to_python(request.POST.get("select_across")):
            count: Any = self.get_paginator(request, queryset, self.list_per_page).count
            if count.has_more:
                text = _("%(count)s rows are too many to change at once: search or filter first.")
                messages.error(request, text % {"count": count})
                return None
        return super().response_action(request, queryset, *args, **kwargs)

    @reads_from_replica
    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list."""
        response: HttpResponse = super().changelist_view(request, extra_context)
        return response

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return what a search finds; one that no list takes, as a box of choices may, nothing."""
        if not is_searchable(search_term):
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def get_row(self, request: HttpRequest, pk: Any) -> Any:
        """Return a row that this person may read; there is no other: 404."""
        row = self.get_queryset(request).filter(pk=pk).first() if str(pk).isdecimal() else None
        if row is None:
            raise Http404
        return row

    def render_page(  # noqa: PLR0913  what a page is made of
        self,
        request: HttpRequest,
        template: str,
        context: Mapping[str, Any],
        *,
        title: str,
        page_name: str = "",
        status: int = 200,
    ) -> HttpResponse:
        """Return a page of ours in the frame of the admin.

        `page_name` is what the breadcrumbs call it, below the row that it is about.
        """
        name_page(request, page_name)
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "preserved_filters": self.get_preserved_filters(request),
            **context,
        }
        return TemplateResponse(request, f"admin/{template}.html", context, status=status)

    def delete_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Delete where that may be; else say what to do instead."""
        row = self.get_row(request, object_id)
        if self.has_delete_permission(request, row):
            deleted: HttpResponse = super().delete_view(request, object_id, extra_context)
            return deleted
        context = {"row": row, "sentence": self.instead_of_deleting}
        status = 409 if request.method == "POST" else 200
        title = str(_("This is not deleted"))
        return self.render_page(request, "not_deleted", context, title=title, status=status)

    def history_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Lead to what the audit log has of a row: every interface writes there."""
        subject = getattr(self.get_object(request, object_id), "uuid", None)
        if subject is None:
            history: HttpResponse = super().history_view(request, object_id, extra_context)
            return history
        query = urlencode({"subject": subject})
        return redirect(f"{reverse('admin:audit_auditevent_changelist')}?{query}")

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        """Log an addition, by the key of the row."""
        return self._leave_out_text(super().log_addition(request, obj, message))

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        """Log a change, by the key of the row."""
        return self._leave_out_text(super().log_change(request, obj, message))

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[LogEntry]:
        """Log deletions, by the keys of the rows."""
        return [self._leave_out_text(entry) for entry in super().log_deletions(request, queryset)]

    def _leave_out_text(self, entry: LogEntry) -> LogEntry:
        """Take the text of the row from Django's own log, which no page of ours shows.

        It may name a person, and nothing finds it for their erasure once the row is gone.
        """
        entry.object_repr = str(entry.object_id)
        entry.save(update_fields=["object_repr"])
        return entry

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the model is in this person's menu."""
        return self.is_open_to(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether `visible_to` has the row."""
        if obj is None or not self.is_open_to(request):
            return self.is_open_to(request)
        return get_permissions(request).can_access(obj, "view", self.visible_to)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether `editable_by` has the row."""
        if obj is None or not self.is_open_to(request):
            return self.is_open_to(request)
        return get_permissions(request).can_access(obj, "change", self.editable_by)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return what `can_add` says."""
        return self.is_open_to(request) and self.can_add(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


class GroupOwnedAdmin(ModelAdmin):
    """Rows of the groups that one teaches; only administrators keep a row for everybody."""

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person teaches."""
        return is_instructor(person)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the groups that one teaches."""
        kwargs["queryset"] = groups_taught(request.user)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.required = not get_permissions(request).is_administrator
        return field


class RowForm(ModelForm):
    """A row of a table: each control says its name itself, the head of its column is far away."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.setdefault("aria-label", field.label)


class _Inline:
    """Rows of a page follow the page: who may change it may change them."""

    admin_site: admin.AdminSite
    parent_model: type[Model]
    extra = 0
    show_change_link = False

    def _may(self, request: HttpRequest, obj: Any) -> bool:
        page = self.admin_site.get_model_admin(self.parent_model)
        if obj is None or obj.pk is None:
            return page.has_add_permission(request)
        return page.has_change_permission(request, obj)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, obj)


class TabularInline(_Inline, ThemedTabular):
    """Rows of a page, a line each."""


class StackedInline(_Inline, ThemedStacked):
    """Rows of a page, a block each."""
