"""Allauth's forms for the codes of a second factor, with our limit of guesses.

Allauth counts guesses in the cache and for an address of the network; here they are counted by the
database for each account (`login_throttle`), so that neither many addresses nor many requests at
once get more. A code counts once as long as it is valid; allauth forgets it sooner.
"""

import logging
from typing import Any

from allauth.core import context
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as allauth_forms
from allauth.mfa.totp import forms as totp_forms
from cryptography.fernet import InvalidToken
from django import forms
from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

from accounts import login_throttle
from accounts.limited_guesses import limited_guess
from accounts.models import User
from accounts.second_factors import check_may_add_factor

log = logging.getLogger(__name__)


def _code_field(label: Any) -> forms.CharField:
    """Return a field for digits: the browser offers those of a message, a phone its digits."""
    attributes = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
    return forms.CharField(label=label, max_length=20, widget=forms.TextInput(attrs=attributes))


class ActivateTOTPForm(totp_forms.ActivateTOTPForm):
    """Asks for the first code of a new app."""

    code = _code_field(_("Code that the app shows"))

    def clean(self) -> Any:
        """Return the fields, if this person may add a second factor here."""
        check_may_add_factor(self.user)
        return super().clean()


class _LimitedGuesses(forms.Form):
    """Counts wrong codes of an account as wrong passwords are, and records them."""

    user: User

    def clean_code(self) -> str:
        """Return the code if it is right and was not used before."""
        key = login_throttle.second_factor_key(context.request, self.user.email)
        with limited_guess(key=key, user=self.user):
            return self._check_code()

    def _check_code(self) -> str:
        try:
            code = str(super().clean_code())  # type: ignore[misc]  # of the form that this is mixed into
        except InvalidToken:
            log.exception("a second factor cannot be decrypted: was the secret key replaced?")
            raise get_adapter().validation_error("incorrect_code") from None
        valid_for = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        digits = "".join(filter(str.isalnum, code))
        if not cache.add(f"second-factor/{self.user.pk}/{digits}", "used", timeout=valid_for):
            raise get_adapter().validation_error("incorrect_code")
        return code


class CodeForm(_LimitedGuesses, allauth_forms.AuthenticateForm):
    """Asks for a code after the password."""

    code = _code_field(_("Code from your app, or a recovery code"))


class CodeAgainForm(_LimitedGuesses, allauth_forms.ReauthenticateForm):
    """Asks who is signed in for a code again; the session goes on under a new key."""

    code = _code_field(_("Code from your app, or a recovery code"))

    def save(self) -> None:
        """Note when it was."""
        super().save()
        context.request.session.cycle_key()
