"""The site of the admin: who may come in, sign-in and sign-out."""

from collections.abc import Callable, Iterable
from functools import update_wrapper
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, reverse
from django.utils.translation import gettext_lazy as _

from accounts.access import must_add_second_factor
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import get_permissions, name_page
from quizzes.instructor.theme import ThemedSite

View = TypeVar("View", bound=Callable[..., Any])


class AdminSite(ThemedSite):
    """The admin for instructors and administrators; for everybody else it is not there."""

    site_header = _("Teaching")
    site_title = "Ochenta"
    index_title = _("Teaching")
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether this person teaches or assists, may begin to, or runs the site."""
        permissions = get_permissions(request)
        return permissions.is_overseer or permissions.can_make_class

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the lists; who may teach and has no class yet is led to making it."""
        permissions = get_permissions(request)
        context = {
            "can_make_first_class": permissions.can_make_class and not permissions.is_instructor,
            "is_overseer": permissions.is_overseer,
        }
        return super().index(request, context | (extra_context or {}))

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: type[Any] | None = None,
        **options: Any,
    ) -> None:
        """Register our own pages only: those of other packages answer by Django's permissions."""
        if admin_class is not None and issubclass(admin_class, ModelAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Leave out the address that resolves any object of any table."""
        urls = super().get_urls()
        return [url for url in urls if getattr(url, "name", None) != "view_on_site"]

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Redirect who is signed out to the sign-in page; answer 404 to others without a role.

        To assistants the pages are not there that are for instructors.
        """
        view_of_admin = super().admin_view(view, cacheable)
        page = _find_page(view)

        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if self.has_permission(request):
                if _is_closed_to_assistant(request, page):
                    raise Http404
                name_page(request, "")
                return view_of_admin(request, *args, **kwargs)
            if must_add_second_factor(request.user):
                return _lead_to_second_factor(request)
            if request.user.is_authenticated:
                raise Http404
            return redirect_to_login(request.get_full_path(), reverse("account_login"))

        return cast("View", update_wrapper(wrapped, view_of_admin))

    def login(
        self,
        request: HttpRequest,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Redirect to the sign-in page of the site, whose limits count here too."""
        if self.has_permission(request):
            return redirect("admin:index")
        if must_add_second_factor(request.user):
            return _lead_to_second_factor(request)
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
        """Redirect to the page of the site."""
        return redirect("account_change_password")


def _find_page(view: Any) -> Any:
    """Return the object that a view is a method of, whatever decorates it; None without one."""
    while not hasattr(view, "__self__") and hasattr(view, "__wrapped__"):
        view = view.__wrapped__
    return getattr(view, "__self__", None)


def _is_closed_to_assistant(request: HttpRequest, page: Any) -> bool:
    if get_permissions(request).is_instructor or not isinstance(page, ModelAdmin):
        return False
    return not page.is_open_to(request)


def _lead_to_second_factor(request: HttpRequest) -> HttpResponse:
    """Redirect a person whose role waits for a second factor to where it is set up."""
    messages.warning(request, _("These pages need a second factor. Set one up first."))
    return redirect("mfa_index")
