"""Accepting an invitation: a new account in one step, or the account that has the address.

Whoever comes with the link reads the mails of the address. Without a link that works, the page says
the same of every address.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts import invitation_acceptance as acceptance
from accounts.forms import NameForm
from accounts.models import Invitation, User
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused


class NewAccountForm(NameForm):
    """The name and the password of a new account; its address is that of the invitation."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean_password(self) -> str:
        """Refuse what sign-up refuses."""
        user = User(email=self.email, name=self.cleaned_data.get("name", ""))
        password: str = get_adapter().clean_password(self.cleaned_data["password"], user=user)
        return password


@require_http_methods(["GET", "HEAD", "POST"])
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show what one is invited to; by POST, accept it."""
    now = clock.now()
    invitation = acceptance.find_by_token(token, now=now)
    if invitation is None:
        return _answer_gone(request, token)
    try:
        if request.user.is_authenticated:
            return _accept_signed_in(request, request.user, invitation, token)
        return _accept_with_new_account(request, invitation, token)
    except NotFound:  # accepted or withdrawn while the page was open
        return _answer_gone(request, token)


def _answer_gone(request: HttpRequest, token: str) -> HttpResponse:
    """Lead who has joined meanwhile, by this link or another way, to their quizzes."""
    user = request.user
    if user.is_authenticated and acceptance.has_accepted(user=user, token=token):
        messages.info(request, gettext("You have accepted this invitation already."))
        return redirect("home")
    return render(request, "account/invitation_gone.html", status=404)


def _accept_signed_in(
    request: HttpRequest, user: User, invitation: Invitation, token: str
) -> HttpResponse:
    """Accept for the account that has the address; say to every other that it is not theirs."""
    is_theirs = user.email == invitation.email
    if request.method == "POST" and is_theirs:
        acceptance.accept_as(user=user, token=token, now=clock.now())
        messages.success(request, gettext("You have accepted the invitation."))
        return redirect("home")
    context = {"invitation": invitation, "is_theirs": is_theirs}
    status = 409 if request.method == "POST" else 200
    return render(request, "account/invitation_signed_in.html", context, status=status)


def _accept_with_new_account(
    request: HttpRequest, invitation: Invitation, token: str
) -> HttpResponse:
    form = NewAccountForm(
        request.POST or None, email=invitation.email, initial={"name": invitation.name}
    )
    if request.method == "POST" and form.is_valid():
        return _create_and_sign_in(request, token, form)
    context = {"invitation": invitation, "form": form}
    status = 422 if form.is_bound else 200
    return render(request, "account/invitation.html", context, status=status)


def _create_and_sign_in(request: HttpRequest, token: str, form: NewAccountForm) -> HttpResponse:
    try:
        user = acceptance.accept_with_new_account(token=token, now=clock.now(), **form.cleaned_data)
    except Refused:
        text = gettext("You have an account with this address already. Sign in to accept.")
        messages.info(request, text)
        return redirect_to_login(request.path)
    record_authentication(request, user, method="password", email=user.email)
    messages.success(request, gettext("You have accepted the invitation."))
    response: HttpResponse = perform_login(request, user)
    return response
