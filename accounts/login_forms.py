"""Allauth's forms for signing in and for a new password, where ours do more."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.contrib import messages
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import email_confirmation
from accounts.addresses import normalize
from accounts.models import User


class LoginForm(allauth_forms.LoginForm):
    """Finds a user however the address is written."""

    def clean_login(self) -> str:
        """Return the address in its normal form."""
        return normalize(super().clean_login())


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """Sends the mail to the stored address, never to one that only looks like it."""

    def clean_email(self) -> str:
        """Return the address in its normal form."""
        return normalize(super().clean_email())


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    """Sets a new password for whoever has read the mail: that confirms the address too.

    If the address was not confirmed before, a stranger may have created the account. So all its
    sessions and tokens end, and the owner of the address may ask for an empty account instead.
    """

    user: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.user.is_confirmed:
            self.fields["new_account"] = forms.BooleanField(
                required=False,
                label=_("Somebody else made this account. Give me a new, empty one."),
            )

    def save(self) -> None:
        """Set the password, and confirm the address if it was not confirmed."""
        if self.user.is_confirmed:
            super().save()
            return
        update = (
            email_confirmation.replace_account
            if self.cleaned_data["new_account"]
            else email_confirmation.secure_account
        )
        try:
            update(user=self.user, password=self.cleaned_data["password1"])
        except email_confirmation.AddressTaken as taken:  # while the form was open
            messages.error(context.request, _("That did not work just now. Please try again."))
            raise ImmediateHttpResponse(redirect("account_reset_password")) from taken
