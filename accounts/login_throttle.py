"""Throttling of sign-ins: ten attempts in a quarter of an hour, counted by the database.

A count in the cache is read and then written, so a hundred attempts at once would all pass. A
device on which a user has signed in before has a count of its own, so that whoever guesses the
password from elsewhere does not lock the owner out.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

from accounts.models import FailedLogins

MAX_ATTEMPTS = 10
WINDOW = timedelta(minutes=15)
KNOWN_DEVICES_COOKIE = "known_devices"
COOKIE_AGE = 365 * 24 * 60 * 60  # seconds
SALT = "accounts.login_throttle"
MAX_ACCOUNTS_PER_DEVICE = 5
"""How many accounts a shared device remembers; the one used longest ago is dropped."""


@transaction.atomic
def consume_attempt(*, key: str, now: datetime) -> bool:
    """Count an attempt for this key; return whether it is allowed."""
    # In one step: between two, a sweep could take the row away.
    row, _ = FailedLogins.objects.select_for_update().get_or_create(key=key)
    since = (now - WINDOW).timestamp()
    row.times = [at for at in row.times if at > since]
    is_allowed = len(row.times) < MAX_ATTEMPTS
    if is_allowed:
        row.times.append(now.timestamp())
    row.save()
    return is_allowed


@transaction.atomic
def refund_attempt(*, key: str, consumed_at: datetime) -> None:
    """Remove an attempt from the count: the password was right."""
    row = FailedLogins.objects.select_for_update().filter(key=key).first()
    if row and consumed_at.timestamp() in row.times:
        row.times.remove(consumed_at.timestamp())
        row.save()


def reset_attempts(*, key: str) -> None:
    """Forget all attempts of this key: the owner has proved who they are in another way."""
    FailedLogins.objects.filter(key=key).delete()


def delete_stale(*, now: datetime) -> int:
    """Delete rows that no longer count; return how many."""
    return FailedLogins.objects.filter(updated_at__lt=now - 2 * WINDOW).delete()[0]


def account_key(login: str) -> str:
    """Return the key of an account: a digest, since a login may be any text."""
    return salted_hmac(SALT, login.strip().lower(), algorithm="sha256").hexdigest()


def throttle_key(request: HttpRequest, login: str) -> str:
    """Return the key for attempts from this device: its own if the device is known."""
    account = account_key(login)
    device = _known_devices(request).get(account)
    return account_key(f"{account}/{device}") if device else account


def remember_device(request: HttpRequest, response: HttpResponseBase, login: str) -> None:
    """Remember in a signed cookie that this account has signed in on this device."""
    devices: dict[str, str] = _known_devices(request)
    account = account_key(login)
    device = devices.pop(account, None) or secrets.token_hex(8)
    remembered = dict([*devices.items(), (account, device)][-MAX_ACCOUNTS_PER_DEVICE:])
    response.set_cookie(
        KNOWN_DEVICES_COOKIE,
        signing.dumps(remembered, salt=SALT),
        max_age=COOKIE_AGE,
        path="/accounts/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _known_devices(request: HttpRequest) -> dict[str, str]:
    """Return the device id for each account in the cookie; none if it is forged or too old."""
    try:
        devices: Any = signing.loads(
            request.COOKIES.get(KNOWN_DEVICES_COOKIE, ""), salt=SALT, max_age=COOKIE_AGE
        )
    except signing.BadSignature:
        return {}
    return devices if isinstance(devices, dict) else {}
