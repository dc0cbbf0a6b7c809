"""The forms of allauth where we know more: what an address is, and what a new password proves."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.contrib import messages
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import confirming
from accounts.addresses import normalize
from accounts.models import User


class LoginForm(allauth_forms.LoginForm):
    """Finds a person however the address is written."""

    def clean_login(self) -> str:
        """Write the address as it is kept."""
        return normalize(super().clean_login())


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """Sends the letter to the address as it is kept, never to one that only looks like it."""

    def clean_email(self) -> str:
        """Write the address as it is kept."""
        return normalize(super().clean_email())


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    """Takes a new password from who has read the letter: that confirms the address too.

    Where it was not confirmed before, a stranger may have made the account. So whatever could
    still open it ends, and the owner of the address may begin with an empty account instead.
    """

    user: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.user.is_confirmed:
            self.fields["anew"] = forms.BooleanField(
                required=False,
                label=_("Somebody else made this account. Give me a new, empty one."),
            )

    def save(self) -> None:
        """Set the password, and confirm the address if that is new."""
        if self.user.is_confirmed:
            super().save()
            return
        take = confirming.begin_anew if self.cleaned_data["anew"] else confirming.secure
        try:
            take(user=self.user, password=self.cleaned_data["password1"])
        except confirming.AddressTaken as taken:  # while the form was open
            messages.error(context.request, _("That did not work just now. Please try again."))
            raise ImmediateHttpResponse(redirect("account_reset_password")) from taken
