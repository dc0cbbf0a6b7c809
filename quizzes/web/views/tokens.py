"""The tokens of one's programs: made, shown once, listed and revoked."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import has_second_factor, is_instructor, is_overseer
from accounts.models import ApiToken, Scope, User
from accounts.reauthentication import reauthentication_required
from accounts.selectors import list_tokens
from accounts.services import (
    DEFAULT_TOKEN_DAYS,
    MAX_TOKEN_DAYS,
    TooManyTokens,
    issue_token,
    revoke_token,
)
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.web import view_models
from quizzes.web.decorators import current_user, login_required_page

NEEDED_ROLES: Mapping[Scope, Callable[[User], bool]] = {
    Scope.RESULTS: is_overseer,
    Scope.AUTHORING: is_instructor,
    Scope.AUDIT: is_instructor,
}
"""Who else would get nothing by a scope: it is not offered to them."""


class TokenForm(forms.Form):
    """What a token is for, what it may do, and for how long."""

    name = forms.CharField(
        label=_("Purpose"),
        max_length=100,
        help_text=_("So that you recognise it later: the name of the program, for example."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What the program may do"),
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )
    days = forms.IntegerField(
        label=_("Days until it expires"),
        min_value=1,
        max_value=MAX_TOKEN_DAYS,
        initial=DEFAULT_TOKEN_DAYS,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [
            scope for scope in Scope if scope not in NEEDED_ROLES or NEEDED_ROLES[scope](user)
        ]
        scopes = cast("forms.MultipleChoiceField", self.fields["scopes"])
        scopes.choices = [(scope.value, capfirst(scope.label)) for scope in offered]


@login_required_page
@reauthentication_required("POST")
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List one's tokens; make one, and show it in this answer and never again."""
    user = current_user(request)
    if request.method != "POST":
        return _render_page(request, user)
    form = TokenForm(request.POST, user=user)
    if form.is_valid():
        try:
            _, secret = issue_token(user=user, **form.cleaned_data)
        except TooManyTokens:
            form.add_error(None, gettext("You have too many tokens. Revoke one first."))
        else:
            return _render_page(request, user, secret=secret)
    return _render_page(request, user, form)


def _render_page(
    request: HttpRequest, user: User, form: TokenForm | None = None, secret: str = ""
) -> HttpResponse:
    now, protected = clock.now(), has_second_factor(user)
    context = {
        "form": form or TokenForm(user=user),
        "secret": secret,
        "tokens": [_build_row(token, now, protected=protected) for token in list_tokens(user)],
    }
    return render(request, "quizzes/pages/tokens.html", context, status=422 if form else 200)


def _build_row(token: ApiToken, now: datetime, *, protected: bool) -> view_models.TokenRow:
    return view_models.TokenRow(
        id=token.token_key,
        name=token.name,
        scopes=[str(scope.label) for scope in Scope if scope in token.scopes],
        created_at=token.created,
        expires_at=token.expiry,
        expired=token.expiry is None or token.expiry <= now,
        last_used_at=token.last_used_at,
        before_second_factor=protected and not token.second_factor_given,
    )


@login_required_page
@require_POST
def revoke(request: HttpRequest, token: str) -> HttpResponse:
    """Revoke a token; the next request with it is refused."""
    if not revoke_token(user=current_user(request), token=token):
        raise NotFound
    messages.success(request, gettext("The token is revoked and no longer works."))
    return redirect("tokens")
