"""The frame of all admin pages: theme, sign-in, and permissions asked of the access modules.

Every page of the admin is built on these classes, so plain Django is one setting away
(OCHENTA_ADMIN_THEME), and nothing is served that answers by Django's own permissions.
"""

from collections.abc import Callable, Iterable
from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.views import main
from django.contrib.auth import forms as auth_forms
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.db.models import DateTimeField, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from accounts import zones
from accounts.access import UserOrAnonymous, is_administrator, is_instructor

View = TypeVar("View", bound=Callable[..., Any])

UNFOLD = settings.ADMIN_THEME == "unfold"


def _import_themed(unfold: str, plain: Any) -> Any:
    """Return the theme's class, or plain Django's where there is no theme."""
    return import_string(unfold) if UNFOLD else plain


if TYPE_CHECKING:
    ThemedSite = admin.AdminSite
    ThemedAdmin = admin.ModelAdmin[Any]
    ThemedTabular = admin.TabularInline[Any, Any]
    ThemedStacked = admin.StackedInline[Any, Any]
    ThemedChangeList = main.ChangeList
    ThemedUserCreationForm = auth_forms.AdminUserCreationForm[Any]
    ThemedUserChangeForm = auth_forms.UserChangeForm[Any]
    PasswordForm = auth_forms.AdminPasswordChangeForm[Any]
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm
    ThemedSite = _import_themed("unfold.sites.UnfoldAdminSite", admin.AdminSite)
    ThemedAdmin = _import_themed("unfold.admin.ModelAdmin", admin.ModelAdmin)
    ThemedTabular = _import_themed("unfold.admin.TabularInline", admin.TabularInline)
    ThemedStacked = _import_themed("unfold.admin.StackedInline", admin.StackedInline)
    ThemedChangeList = _import_themed("unfold.views.ChangeList", main.ChangeList)
    ThemedUserCreationForm = _import_themed(
        "unfold.forms.UserCreationForm", auth_forms.AdminUserCreationForm
    )
    ThemedUserChangeForm = _import_themed("unfold.forms.UserChangeForm", auth_forms.UserChangeForm)
    PasswordForm = _import_themed(
        "unfold.forms.AdminPasswordChangeForm", auth_forms.AdminPasswordChangeForm
    )

text_input: type[forms.Widget] = _import_themed(
    "unfold.widgets.UnfoldAdminTextInputWidget", forms.TextInput
)
switch: type[forms.Widget] = _import_themed(
    "unfold.widgets.UnfoldBooleanSwitchWidget", forms.CheckboxInput
)
textarea: type[forms.Widget] = _import_themed(
    "unfold.widgets.UnfoldAdminTextareaWidget", forms.Textarea
)
select: type[forms.Select] = _import_themed("unfold.widgets.UnfoldAdminSelectWidget", forms.Select)


class ObjectPermissions:
    """What one person may do, asked of the access modules once a request."""

    def __init__(self, person: UserOrAnonymous) -> None:
        self._person = person
        self._answers: dict[tuple[type[Model], Any, str], bool] = {}

    @cached_property
    def is_administrator(self) -> bool:
        """Whether this person runs the site."""
        return is_administrator(self._person)

    @cached_property
    def is_instructor(self) -> bool:
        """Whether this person teaches, or runs the site."""
        return is_instructor(self._person)

    def can_access(
        self, row: Model, right: str, rows: Callable[[UserOrAnonymous], QuerySet[Any]]
    ) -> bool:
        """Return whether a row is among those that the access module allows for this right."""
        cache_key = (type(row), row.pk, right)
        if cache_key not in self._answers:
            self._answers[cache_key] = rows(self._person).filter(pk=row.pk).exists()
        return self._answers[cache_key]


def get_permissions(request: HttpRequest) -> ObjectPermissions:
    """Return the permissions of the current person; created once a request."""
    permissions: ObjectPermissions = vars(request).setdefault(
        "_rights", ObjectPermissions(request.user)
    )
    return permissions


def show_to_administrators(request: HttpRequest) -> bool:
    """Return whether to show the administrators' part of the menu."""
    return get_permissions(request).is_administrator


MAX_SEARCH_LENGTH = 200
"""Characters; each word of a search is a condition of its own over every field searched."""


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
    """A list with a search of bounded length."""

    search_form_class = SearchForm


class ModelAdmin(ThemedAdmin):
    """Answers by `visible_to` and `editable_by`, never by Django's permissions; denies by default.

    Nothing is ever deleted here: what is no longer wanted is retired.
    """

    administrators_only: ClassVar[bool] = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    show_full_result_count = False
    actions_on_top = True

    class Media:
        css = {"all": ("admin/admin.css",)}

    def rows(self) -> QuerySet[Any]:
        """Return all rows."""
        queryset: QuerySet[Any] = self.model._default_manager.all()
        return queryset

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Any]:
        """Return the rows that this person may read."""
        return self.rows().none()

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[Any]:
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
        return (
            permissions.is_administrator if self.administrators_only else permissions.is_instructor
        )

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

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return what a search finds; one that no list takes, as a box of choices may, nothing."""
        if len(search_term) > MAX_SEARCH_LENGTH or "\0" in search_term:
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the model is in this person's menu."""
        return self.is_open_to(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Ask `visible_to`."""
        if obj is None or not self.is_open_to(request):
            return self.is_open_to(request)
        return get_permissions(request).can_access(obj, "view", self.visible_to)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Ask `editable_by`."""
        if obj is None or not self.is_open_to(request):
            return self.is_open_to(request)
        return get_permissions(request).can_access(obj, "change", self.editable_by)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Ask `can_add`."""
        return self.is_open_to(request) and self.can_add(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


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


class AdminSite(ThemedSite):
    """The admin for instructors and administrators; for everybody else it is not there."""

    site_header = _("Teaching")
    site_title = "Ochenta"
    index_title = _("Teaching")
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in whoever teaches or runs the site, and is active."""
        return get_permissions(request).is_instructor

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: type[Any] | None = None,
        **options: Any,
    ) -> None:
        """Take our own pages alone: those of other packages answer by Django's permissions."""
        if admin_class is not None and issubclass(admin_class, ModelAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Leave out the address that resolves any object of any table."""
        urls = super().get_urls()
        return [url for url in urls if getattr(url, "name", None) != "view_on_site"]

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Send the nameless to the one sign-in page; to others without a role, there is nothing."""
        inner = super().admin_view(view, cacheable)

        def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if self.has_permission(request):
                return inner(request, *args, **kwargs)
            if request.user.is_authenticated:
                raise Http404
            return redirect_to_login(request.get_full_path(), reverse("account_login"))

        return cast("View", update_wrapper(kept, inner))

    def login(
        self,
        request: HttpRequest,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Hand over to the sign-in page of the site, whose limits hold here too."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(
            request.GET.get("next") or reverse("admin:index"), reverse("account_login")
        )

    def logout(
        self,
        request: HttpRequest,
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Sign out by POST, and go where one signs in; a link alone asks first."""
        if request.method == "POST":
            logout(request)
            return redirect("account_login")
        return redirect("account_logout")

    def password_change(
        self,
        request: HttpRequest,
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Hand over to the page of the site."""
        return redirect("account_change_password")
