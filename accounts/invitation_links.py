"""The link of an invitation: made when its mail is sent, so no row has a token that works."""

from hashlib import sha256

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import salted_hmac

from accounts.models import Invitation

SALT = "accounts.invitation"


def build_token(invitation: Invitation) -> str:
    """Return the token of the newest mail of an invitation: 64 letters and digits."""
    content = f"{invitation.uuid}/{invitation.mails}/{invitation.email}"
    return salted_hmac(SALT, content, algorithm="sha256").hexdigest()


def digest_token(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode()).hexdigest()


def build_link(invitation: Invitation, host: str) -> str:
    """Return the address of the page on which the invitation is accepted."""
    return build_address(reverse("accept_invitation", args=[build_token(invitation)]), host)


def build_address(page: str, host: str) -> str:
    """Return the address of a page, for a mail.

    `host` is the name by which its maker reaches the site; from a command there is none.
    """
    scheme = "https" if settings.HTTPS else "http"
    return f"{scheme}://{host or settings.ALLOWED_HOSTS[0]}{page}"
