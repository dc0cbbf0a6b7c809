"""Where allauth's second factors ask for our rules: how secrets are stored, what is refused."""

import base64
from functools import lru_cache
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

SALT = "accounts.second_factor"


@lru_cache(maxsize=4)
def _cipher(secret_keys: tuple[str, ...]) -> MultiFernet:
    """Return what encrypts with the first of the site's secret keys and decrypts with any."""
    digests = (salted_hmac(SALT, "", key, algorithm="sha256").digest() for key in secret_keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


class SecondFactorAdapter(DefaultMFAAdapter):
    """Encrypts the secrets of second factors: a copy of the database alone makes no codes."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is not right, or it was used already."),
        "incorrect_passkey": _("This passkey does not open this account."),
        "unverified_email": _("Confirm your e-mail address first."),
        "second_factor_elsewhere": _(
            "You have a second factor where your school signs you in. Sign in there first; then "
            "you can set up another one here."
        ),
        "cannot_generate_recovery_codes": _("Set up a second factor first."),
    }

    def generate_authenticator_name(self, user: Any, kind: Any) -> str:
        """Return a name for a new passkey: a number, which its owner may replace."""
        number = Authenticator.objects.filter(user=user, type=kind).count() + 1
        return gettext("Passkey %(number)s") % {"number": number}

    def encrypt(self, text: str) -> str:
        """Return the text encrypted with the site's secret key."""
        return _current_cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the text; InvalidToken if it was encrypted with a secret key that is gone."""
        return _current_cipher().decrypt(encrypted_text.encode()).decode()


def _current_cipher() -> MultiFernet:
    return _cipher((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
