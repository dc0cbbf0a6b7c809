"""Guests: strangers who take a quiz that is open to anyone, and what of it an account keeps.

A guest is a row of their own, which has no address and in which nobody can sign in. Its key is in
the session of the browser alone. Keeping never moves a row: the account is written into that of the
guest, once (ADR 59).
"""

import uuid
from datetime import datetime, timedelta
from typing import cast

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.http import HttpRequest

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import NotFound

SESSION_GUEST = "guest"
"""Where a session has the key of its guest."""
GUEST_LIFETIME = timedelta(days=7)
"""How long a browser goes on as a guest, from their first quiz on."""
GUEST_DOMAIN = "guest.invalid"
"""A domain that no mail reaches (RFC 2606)."""


def create_guest(*, language: str, time_zone: str, now: datetime) -> User:
    """Make a guest, who speaks this language and is in this zone."""
    number = uuid.uuid4()
    guest = User(
        uuid=number,
        email=f"{number}@{GUEST_DOMAIN}",
        language=language,
        time_zone=time_zone or "UTC",
        is_active=False,
        guest_since=now,
        date_joined=now,
    )
    guest.set_unusable_password()
    guest.save()
    return guest


def remember_guest(session: SessionBase, guest: User) -> None:
    """Have a session go on as this guest, under a new key: who planted the old one is left out."""
    session.cycle_key()
    session[SESSION_GUEST] = guest.pk


def find_guest(session: SessionBase, *, now: datetime) -> User | None:
    """Return the guest of a session; None without one, once it is too old, kept or erased."""
    key = session.get(SESSION_GUEST)
    if key is None:
        return None
    return User.objects.filter(
        pk=key, guest_since__gt=now - GUEST_LIFETIME, kept_by=None, erased_at=None
    ).first()


def act_as_guest(request: HttpRequest, guest: User) -> None:
    """Have a request go on as a guest, whoever is signed in (`find_account`)."""
    vars(request)["account"] = find_account(request)
    request.user = guest


def find_account(request: HttpRequest) -> User | None:
    """Return who is signed in, also where their request goes on as a guest; None for strangers."""
    if "account" in vars(request):
        return cast("User | None", vars(request)["account"])
    return request.user if request.user.is_authenticated else None


@transaction.atomic
def keep_guest(*, guest: User, user: User, now: datetime) -> None:
    """Keep what was done as this guest in an account, for ever. Kept or erased already: NotFound.

    Interfaces hand in the guest of the session that asks, and no other. Who is a guest keeps none.
    """
    free = User.objects.select_for_update(no_key=True).filter(
        pk=guest.pk, guest_since__isnull=False, kept_by=None, erased_at=None
    )
    locked = free.first()
    if locked is None or user.guest_since is not None or not user.is_active:
        raise NotFound
    locked.kept_by, locked.kept_at = user, now
    locked.save(update_fields=["kept_by", "kept_at"])
    record(AuditCode.GUEST_KEPT, about=user, by=user, after={"guest": str(locked.uuid)})
