"""What one person may do in the admin, asked of the access modules."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest

from accounts.access import (
    UserOrAnonymous,
    can_make_class,
    is_administrator,
    is_instructor,
    is_overseer,
)
from accounts.models import User


def current_user(request: HttpRequest) -> User:
    """Return who is signed in: the site lets in nobody else."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user


def name_page(request: HttpRequest, page_name: str) -> None:
    """Say what the breadcrumbs call the page: their template is given nothing but the request."""
    request.page_name = page_name  # type: ignore[attr-defined]  # read by that template alone


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

    @cached_property
    def is_overseer(self) -> bool:
        """Whether this person teaches, assists in a class, or runs the site."""
        return is_overseer(self._person)

    @cached_property
    def can_make_class(self) -> bool:
        """Whether this person teaches, or may make their first class."""
        return can_make_class(self._person)

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


def show_to_class_makers(request: HttpRequest) -> bool:
    """Return whether to show the classes, also to who has none yet."""
    return get_permissions(request).can_make_class


def show_to_overseers(request: HttpRequest) -> bool:
    """Return whether to show attempts: to who teaches or assists."""
    return get_permissions(request).is_overseer


def show_to_instructors(request: HttpRequest) -> bool:
    """Return whether to show what assistants have no part in."""
    return get_permissions(request).is_instructor
