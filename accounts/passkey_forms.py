"""Allauth's forms for passkeys: our words, and what is no passkey is refused, not a crash."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn import forms as allauth_forms
from allauth.mfa.webauthn.internal import auth
from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.account_audit import record_failed_sign_in
from accounts.second_factors import check_may_add_factor

Cleaned = TypeVar("Cleaned")
LONGEST_NAME = 60
NOT_A_CREDENTIAL = (AttributeError, KeyError, TypeError, ValueError)
"""What the library raises at JSON that a browser would not send."""


def _refuse_malformed(clean: Callable[[Any], Cleaned]) -> Callable[[Any], Cleaned]:
    """Return the method with those errors as that of the form."""

    @wraps(clean)
    def wrapped(form: Any) -> Cleaned:
        try:
            return clean(form)
        except NOT_A_CREDENTIAL:
            raise get_adapter().validation_error("incorrect_passkey") from None

    return wrapped


class AddPasskeyForm(allauth_forms.AddWebAuthnForm):
    """Asks what a new passkey is called, and whether it signs in alone."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("So that you recognise it later: the name of the device, for example."),
    )
    passwordless = forms.BooleanField(
        label=_("Sign in with it alone, without the password"), required=False, initial=True
    )

    @_refuse_malformed
    def clean(self) -> Any:
        """Return the fields; the credential is one that was asked for here."""
        check_may_add_factor(self.user)
        return super().clean()


class RenamePasskeyForm(allauth_forms.EditWebAuthnForm):
    """Asks for another name."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)


class _RecordedFailures(forms.Form):
    """Records a passkey that does not open the account, as a wrong password is."""

    user: Any

    @_refuse_malformed
    def clean_credential(self) -> Any:
        """Return whose passkey it is."""
        try:
            return super().clean_credential()  # type: ignore[misc]  # of the form mixed into
        except (forms.ValidationError, *NOT_A_CREDENTIAL):
            record_failed_sign_in(self.user.email if self.user else "")
            raise


class PasskeyForm(_RecordedFailures, allauth_forms.AuthenticateWebAuthnForm):
    """Takes a passkey after the password."""


class PasskeyAgainForm(_RecordedFailures, allauth_forms.ReauthenticateWebAuthnForm):
    """Takes a passkey of who is signed in; the session goes on under a new key."""

    def save(self) -> None:
        """Note when it was."""
        super().save()
        context.request.session.cycle_key()


class PasskeySignInForm(_RecordedFailures, allauth_forms.LoginWebAuthnForm):
    """Takes a passkey in place of the password.

    allauth asks neither whether the passkey was added for that, nor, where the challenge is that of
    a second step, whether the device has checked its owner.
    """

    @_refuse_malformed
    def clean_credential(self) -> Any:
        """Return whose passkey it is, if it signs in alone and its owner was checked."""
        credential = self.cleaned_data["credential"]
        authenticator = super().clean_credential()
        response = auth.parse_authentication_response(credential).response
        checked_owner = response.authenticator_data.is_user_verified()
        if not (checked_owner and authenticator.wrap().is_passwordless):
            record_failed_sign_in(authenticator.user.email)
            raise get_adapter().validation_error("incorrect_passkey")
        return authenticator
