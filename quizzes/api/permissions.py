"""What a token may do: each view lists the scopes of each method; none listed means no token."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.access import must_add_second_factor
from accounts.models import ApiToken, Scope, User

Scopes = Mapping[str, tuple[Scope, ...]]
"""Method → scopes, of which one suffices. The empty tuple: people only, no token at all."""


def request_user(request: Request) -> User:
    """Return the person who asks."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def has_scope(request: Request, scope: Scope) -> bool:
    """Return whether this request may use a scope; a signed-in browser has all of them."""
    return not isinstance(request.auth, ApiToken) or scope in request.auth.scopes


class HasScope(BasePermission):
    """Lets a token do what its scopes say."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the token has a scope that the view asks for; a refusal names them."""
        if not isinstance(request.auth, ApiToken):
            return True
        scopes: Scopes = getattr(view, "scopes", {})
        needed = scopes.get("GET" if request.method == "HEAD" else str(request.method), ())
        if not needed:
            raise PermissionDenied(_("No token may do this."), code="session_required")
        if not any(has_scope(request, scope) for scope in needed):
            sentence = _("This token lacks the scope that this needs: %(scopes)s.")
            raise PermissionDenied(sentence % {"scopes": ", ".join(needed)}, code="scope_missing")
        return True


class HasSecondFactor(BasePermission):
    """Refuses staff without a second factor where the site asks for one, by token as by session."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether nothing is missing; a refusal says what to do."""
        if must_add_second_factor(request.user):
            sentence = _("Your role needs a second factor. Sign in and set one up in your profile.")
            if isinstance(request.auth, ApiToken) and not request.auth.second_factor_given:
                sentence = _(
                    "Your role needs a second factor, and this token was made without one. "
                    "Make another token with it."
                )
            raise PermissionDenied(sentence, code="second_factor_required")
        return True
