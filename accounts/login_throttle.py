"""Throttling of sign-ins: ten attempts in a quarter of an hour, counted by the database.

A count in the cache is read and then written, so a hundred attempts at once would all pass. A
device on which a user has signed in before has a count of its own, so that whoever guesses the
password from elsewhere does not lock the owner out.

Who guesses at many accounts from one address is slowed down without locking out those who share
it: after a hundred failures each account still has a few attempts from there. A code by mail always
lets the owner in, and whoever oversees a person can unlock them.
"""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

from accounts.models import FailedLogins, User

MAX_ATTEMPTS = 10
MAX_FAILURES_FROM_ADDRESS = 100
"""Failures from one network address, at any accounts, before each has fewer attempts from there."""
MAX_ATTEMPTS_FROM_BUSY_ADDRESS = 3
MAX_CODES = 5
"""Codes by mail that one address, or one known device, may ask for an account."""
WINDOW = timedelta(minutes=15)
KNOWN_DEVICES_COOKIE = "known_devices"
COOKIE_AGE = 365 * 24 * 60 * 60  # seconds
SALT = "accounts.login_throttle"
MAX_ACCOUNTS_PER_DEVICE = 5
"""How many accounts a shared device remembers; the one used longest ago is dropped."""


@transaction.atomic
def consume_attempt(
    *, key: str, now: datetime, user: User | None = None, limit: int = MAX_ATTEMPTS
) -> bool:
    """Count an attempt for this key; return whether it is allowed. `user`: whose sign-in it is."""
    # In one step: between two, a sweep could take the row away.
    row, _ = FailedLogins.objects.select_for_update().get_or_create(
        key=key, defaults={"user": user}
    )
    row.user = user or row.user  # the account may have been made after the first attempt
    row.times = _list_recent(row, now)
    is_allowed = len(row.times) < limit
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


def _list_recent(row: FailedLogins, now: datetime) -> list[float]:
    since = (now - WINDOW).timestamp()
    return [at for at in row.times if at > since]


def is_address_busy(*, address: str, now: datetime) -> bool:
    """Return whether so many sign-ins failed from an address that each account has fewer there."""
    row = FailedLogins.objects.filter(key=address_key(address)).first()
    return row is not None and len(_list_recent(row, now)) >= MAX_FAILURES_FROM_ADDRESS


def count_failure_from(*, address: str, now: datetime) -> None:
    """Count that a sign-in failed, at whatever account, from this address."""
    consume_attempt(key=address_key(address), now=now, limit=MAX_FAILURES_FROM_ADDRESS)


def count_recent(row: FailedLogins, now: datetime) -> int:
    """Count the attempts that count now."""
    return len(_list_recent(row, now))


def locked_until(row: FailedLogins, now: datetime) -> datetime | None:
    """Return when the next attempt is possible where there is none now."""
    recent = _list_recent(row, now)
    if len(recent) < MAX_ATTEMPTS:
        return None
    return datetime.fromtimestamp(recent[-MAX_ATTEMPTS], UTC) + WINDOW


def reset_attempts(*, key: str) -> None:
    """Forget all attempts of this key: the owner has proved who they are in another way."""
    FailedLogins.objects.filter(key=key).delete()


def unlock(*, user: User) -> int:
    """Forget the attempts at signing in as this person from anywhere; return how many counts."""
    return FailedLogins.objects.filter(user=user).delete()[0]


def delete_stale(*, now: datetime) -> int:
    """Delete rows that no longer count; return how many."""
    return FailedLogins.objects.filter(updated_at__lt=now - 2 * WINDOW).delete()[0]


def account_key(login: str) -> str:
    """Return the key of an account: a digest, since a login may be any text."""
    return salted_hmac(SALT, login.strip().lower(), algorithm="sha256").hexdigest()


def address_key(address: str) -> str:
    """Return the key of a network address."""
    return account_key(f"address/{address}")


def behind_address_key(address: str, login: str) -> str:
    """Return the key of an account for attempts from one network address."""
    return account_key(f"{account_key(login)}/address/{address}")


def is_known_device(request: HttpRequest, login: str) -> bool:
    """Return whether this account has signed in on this device before."""
    return account_key(login) in _known_devices(request)


def code_key(request: HttpRequest, login: str, address: str) -> str:
    """Return the key for codes by mail: of the device if it is known, else of the address.

    So nobody elsewhere can use up the codes of the owner.
    """
    if is_known_device(request, login):
        return account_key(f"code/{throttle_key(request, login)}")
    return account_key(f"code/{address}/{account_key(login)}")


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
