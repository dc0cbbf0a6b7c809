"""The keys to a person's account: the tokens of their programs, the devices signed in."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import ApiToken, Session, User

SALT = "accounts.device"
SIGNED_IN_BY = "account_authentication_methods"
"""Where allauth notes in a session how and when its person signed in."""


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that is signed in. `id` names it without telling the key of its session."""

    id: str
    signed_in_at: datetime | None
    until: datetime
    here: bool


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Give this person's tokens, the oldest first; expired ones too, revoked ones are gone."""
    found: QuerySet[ApiToken] = ApiToken.objects.filter(user=user).order_by("created", "pk")
    return found


def device_id(key: str) -> str:
    """Name a session by a keyed hash: who reads the name cannot take over the session."""
    return salted_hmac(SALT, key, algorithm="sha256").hexdigest()[:32]


def devices_of(user: User, *, here: str, now: datetime) -> list[Device]:
    """Give where this person is signed in: this device first, then as they end, the latest first.

    `here` is the key of the asking session. What a change of the password ended is not among them.
    """
    rows = Session.objects.filter(user=user, expire_date__gt=now).order_by("-expire_date", "pk")
    store = SessionStore()  # Django's own: it reads what ours has written
    read = [(row, store.decode(row.session_data)) for row in rows]
    valid = _hashes(user)
    found = [_device(row, data, here) for row, data in read if _counts(data, valid)]
    return sorted(found, key=lambda device: not device.here)


def _hashes(user: User) -> list[str]:
    """Give what a session may say of the password and still count."""
    return [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]


def _counts(data: dict[str, Any], valid: list[str]) -> bool:
    told = str(data.get(HASH_SESSION_KEY, ""))
    return any(constant_time_compare(told, one) for one in valid)


def _device(row: Session, data: dict[str, Any], here: str) -> Device:
    noted = [one["at"] for one in data.get(SIGNED_IN_BY, []) if "at" in one]
    return Device(
        id=device_id(row.session_key),
        signed_in_at=datetime.fromtimestamp(max(noted), UTC) if noted else None,
        until=row.expire_date,
        here=row.session_key == here,
    )
