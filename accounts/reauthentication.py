"""Who is signed in says again who they are, before what matters: a device may stand open.

`reauthentication_required` is the one decorator for it. What was being sent is sent afterwards.
"""

import time
from collections.abc import Mapping
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from django.http import HttpRequest
from django.utils.translation import gettext as _

DESCRIPTIONS = {
    "reauthenticate": lambda: _("Use your password"),
    "mfa_reauthenticate": lambda: _("Use a code"),
    "mfa_reauthenticate:webauthn": lambda: _("Use the passkey"),
}
"""What leads to another way, by allauth's names of them."""


def is_recent(request: HttpRequest) -> bool:
    """Return whether this person has said who they are, by signing in or again, a while ago."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    latest = max((record["at"] for record in records), default=0.0)
    return bool(time.time() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def choose_methods(methods: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the ways that count, described by us: with a second factor, not the password alone."""
    second_factors = [method for method in methods if method["id"] != "reauthenticate"]
    return [
        {**method, "description": DESCRIPTIONS[method["id"]]()}
        for method in second_factors or methods
    ]
