"""The keys to a person's account: the tokens of their programs, the devices signed in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.browsers import describe_browser
from accounts.models import ApiToken, Group, Membership, Role, Session, User

SALT = "accounts.device"
SIGNED_IN_BY = "account_authentication_methods"
"""Where allauth notes in a session how and when its person signed in."""
PROVIDER_SECOND_FACTOR = "second_factor"
"""Where is noted whose it was (their uuid), if a provider asked for one that the settings trust."""


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that is signed in. `id` names it without telling the key of its session."""

    id: str
    browser: str
    address: str
    last_seen_at: datetime
    signed_in_at: datetime | None
    until: datetime
    here: bool


def with_people_counts(groups: QuerySet[Group]) -> QuerySet[Any]:
    """Add `learner_count` and `staff_count`: of the rows of a page, not of all there are."""
    is_learner = Q(role=Role.LEARNER)
    return groups.annotate(
        learner_count=_count_members(is_learner), staff_count=_count_members(~is_learner)
    )


def with_unconfirmed_counts(groups: QuerySet[Group]) -> QuerySet[Any]:
    """Add `unconfirmed_count`: learners with an address that is not confirmed."""
    is_confirmed = Q(user__email=F("user__confirmed_email"))
    waiting = Q(role=Role.LEARNER) & ~is_confirmed
    return groups.annotate(unconfirmed_count=_count_members(waiting))


def _count_members(condition: Q) -> Coalesce:
    members = Membership.objects.filter(condition, group=OuterRef("pk")).order_by().values("group")
    return Coalesce(Subquery(members.annotate(people=Count("pk")).values("people")), 0)


def list_tokens(user: User) -> QuerySet[ApiToken]:
    """Return this person's tokens, the oldest first, expired ones included."""
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(user=user).order_by("created", "pk")
    return tokens


def was_second_factor_given(steps: Iterable[Mapping[str, Any]], user: User) -> bool:
    """Return whether in these steps of signing in this very person gave one to a provider."""
    return any(step.get(PROVIDER_SECOND_FACTOR) == str(user.uuid) for step in steps)


def device_id(key: str) -> str:
    """Return a keyed hash that names a session: nobody can take over a session with it."""
    return salted_hmac(SALT, key, algorithm="sha256").hexdigest()[:32]


def list_devices(user: User, *, here: str, now: datetime) -> list[Device]:
    """Return this person's devices: this one first, then by the end of the session, latest first.

    `here` is the key of the asking session. What a change of the password ended is not among them.
    """
    rows = Session.objects.filter(user=user, expire_date__gt=now).order_by("-expire_date", "pk")
    store = SessionStore()  # Django's own: it reads what ours has written
    read = [(row, store.decode(row.session_data)) for row in rows]
    valid_hashes = _hashes(user)
    devices = [_device(row, data, here) for row, data in read if _counts(data, valid_hashes)]
    return sorted(devices, key=lambda device: not device.here)


def _hashes(user: User) -> list[str]:
    """Return the password hashes with which a session is still valid."""
    return [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]


def _counts(data: dict[str, Any], valid_hashes: list[str]) -> bool:
    session_hash = str(data.get(HASH_SESSION_KEY, ""))
    return any(constant_time_compare(session_hash, valid_hash) for valid_hash in valid_hashes)


def _device(row: Session, data: dict[str, Any], here: str) -> Device:
    noted = [sign_in["at"] for sign_in in data.get(SIGNED_IN_BY, []) if "at" in sign_in]
    return Device(
        id=device_id(row.session_key),
        browser=describe_browser(row.user_agent),
        address=row.address,
        last_seen_at=row.last_seen_at,
        signed_in_at=datetime.fromtimestamp(max(noted), UTC) if noted else None,
        until=row.expire_date,
        here=row.session_key == here,
    )
