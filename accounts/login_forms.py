"""Allauth's forms for signing in and for a new password, where ours do more."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import code_request_links, email_confirmation, login_throttle
from accounts.account_audit import record_failed_sign_in
from accounts.addresses import normalize
from accounts.limited_guesses import limited_guess
from accounts.models import User


class AccountSignupForm(allauth_forms.SignupForm):
    """Signs up; an address that has an account takes as long as one that has none."""

    def try_save(self, request: HttpRequest) -> Any:
        """Save the account, or tell its owner by mail; hash a password in either case."""
        if self.account_already_exists:
            User().set_password(self.cleaned_data["password1"])
        return super().try_save(request)


class SignInForm(allauth_forms.LoginForm):
    """Finds a user however the address is written."""

    def clean_login(self) -> str:
        """Return the address in its normal form."""
        return normalize(super().clean_login())


class RequestLoginCodeForm(allauth_forms.RequestLoginCodeForm):
    """Sends a code to the stored address of a person who has confirmed it.

    Whoever made an account with the address of somebody else would else share it with them.
    """

    _user: User | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        link = code_request_links.find_followed_link(context.request.session)
        self.initial.setdefault("email", link.address if link else "")

    def clean_email(self) -> str:
        """Return the address in its normal form, unless too many codes were asked for."""
        address = normalize(self.cleaned_data["email"])
        request = context.request
        network_address = get_adapter().get_client_ip(request)
        key = login_throttle.code_request_key(request, address, network_address)
        if not login_throttle.consume_attempt(
            key=key,
            now=timezone.now(),
            user=User.objects.filter(email=address).first(),
            limit=login_throttle.MAX_CODES,
        ):
            raise get_adapter().validation_error("too_many_codes")
        # Three guesses a code: who mistyped one three times has them again for the next.
        login_throttle.reset_attempts(
            key=login_throttle.code_guess_key(request.session.session_key)
        )
        self.cleaned_data["email"] = address
        super().clean_email()
        if self._user and not self._user.is_confirmed:
            self._user = None
        return address


class ConfirmLoginCodeForm(allauth_forms.ConfirmLoginCodeForm):
    """Compares the code; guesses at once in one session are counted by the database."""

    def clean_code(self) -> str:
        """Return the code if it is right."""
        key = login_throttle.code_guess_key(context.request.session.session_key)
        limit = settings.ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS
        if not login_throttle.consume_attempt(key=key, now=timezone.now(), limit=limit):
            raise get_adapter().validation_error("too_many_login_attempts")
        try:
            code: str = super().clean_code()
        except ValidationError:
            if not self.expected_code:  # no code was sent: nobody has confirmed the address
                self._record_as_of_an_account()
            raise
        return code

    def _record_as_of_an_account(self) -> None:
        """Record a wrong code by the statements that one of an account takes: as slowly."""
        User.objects.filter(email="").first()
        record_failed_sign_in("")


class ChangePasswordForm(allauth_forms.ChangePasswordForm):
    """Asks for the password once more; guesses are counted and recorded as those at the sign-in."""

    user: User

    def clean_oldpassword(self) -> str:
        """Return the password if it is right."""
        key = login_throttle.attempt_key(context.request, self.user.email)
        with limited_guess(key=key, user=self.user):
            password: str = super().clean_oldpassword()
        return password


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
    """None where the link no longer works: the page then says so, without fields."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.user is not None and not self.user.is_confirmed:
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
