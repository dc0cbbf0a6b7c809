"""How often a password may be tried: ten times in a quarter of an hour, counted by the database.

The cache counts by reading and then writing, so a hundred guesses at once all found room. And a
device on which a person has signed in before has tries of its own, so that whoever guesses from
elsewhere does not lock the owner out.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

from accounts.models import Guesses

LIMIT = 10
WINDOW = timedelta(minutes=15)
COOKIE = "known_device"
COOKIE_AGE = 365 * 24 * 60 * 60  # seconds
SALT = "accounts.guessing"
MOST_PEOPLE = 5
"""How many people a shared device remembers; who signed in longest ago is forgotten."""


@transaction.atomic
def take(*, key: str, now: datetime) -> bool:
    """Take one of the tries of this key; False where none is left in the last quarter hour."""
    # In one step: between two, a sweep could take the row away.
    row, _ = Guesses.objects.select_for_update().get_or_create(key=key)
    since = (now - WINDOW).timestamp()
    row.times = [at for at in row.times if at > since]
    granted = len(row.times) < LIMIT
    if granted:
        row.times.append(now.timestamp())
    row.save()
    return granted


@transaction.atomic
def give_back(*, key: str, taken_at: datetime) -> None:
    """Give a try back: the password was right."""
    row = Guesses.objects.select_for_update().filter(key=key).first()
    if row and taken_at.timestamp() in row.times:
        row.times.remove(taken_at.timestamp())
        row.save()


def forget(*, key: str) -> None:
    """Give back all tries: the owner has proved to be the owner by another way."""
    Guesses.objects.filter(key=key).delete()


def sweep(*, now: datetime) -> int:
    """Delete what no longer counts; return how many rows."""
    return Guesses.objects.filter(updated_at__lt=now - 2 * WINDOW).delete()[0]


def key_of(login: str) -> str:
    """Return the key of an account's tries: a digest, since a login may be anything."""
    return salted_hmac(SALT, login.strip().lower(), algorithm="sha256").hexdigest()


def key_for(request: HttpRequest, login: str) -> str:
    """Return the key of tries from this device: its own where the device is known."""
    account = key_of(login)
    device = _known_devices(request).get(account)
    return key_of(f"{account}/{device}") if device else account


def remember(request: HttpRequest, response: HttpResponseBase, login: str) -> None:
    """Remember this device for this account in a signed cookie."""
    devices: dict[str, str] = _known_devices(request)
    account = key_of(login)
    device = devices.pop(account, None) or secrets.token_hex(8)
    remembered = dict([*devices.items(), (account, device)][-MOST_PEOPLE:])
    response.set_cookie(
        COOKIE,
        signing.dumps(remembered, salt=SALT),
        max_age=COOKIE_AGE,
        path="/accounts/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _known_devices(request: HttpRequest) -> dict[str, str]:
    """Return the device's name for each account that it is known for; forged or old: none."""
    try:
        devices: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_AGE)
    except signing.BadSignature:
        return {}
    return devices if isinstance(devices, dict) else {}
