"""Codes by which people join a class themselves: made, ended, used."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.classes import lock_class
from accounts.invitation_acceptance import admit
from accounts.login_throttle import account_key, consume_attempt, refund_attempt
from accounts.models import Group, JoinCode, Membership, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Invalid, NotFound, Refused

ALPHABET = "23456789BCDFGHJKMNPQRSTVWXYZ"
"""No letter that looks like a digit or another, and no vowel, so that no code is a word."""
LENGTH = 10
"""Letters: 48 bits."""
MAX_WRONG_CODES = 10
"""Codes that are none which one person may try in a quarter of an hour."""
SESSION_CODE = "join_code"
"""Where a session keeps the code whose link somebody followed before signing in."""
DEFAULT_DAYS, MAX_DAYS, MAX_USES = 30, 366, 10_000


@transaction.atomic
def create_join_code(
    *,
    group: Group,
    by: User,
    now: datetime,
    days: int = DEFAULT_DAYS,
    max_uses: int | None = None,
) -> JoinCode:
    """Make a new code of a class, which ends the one before it.

    Out of bounds: Invalid. Who does not teach it: NotFound; archived: Refused.
    """
    if not 1 <= days <= MAX_DAYS:
        raise Invalid("join_code_days", where="days", maximum=MAX_DAYS)
    if max_uses is not None and not 1 <= max_uses <= MAX_USES:
        raise Invalid("join_code_uses", where="max_uses", maximum=MAX_USES)
    locked = lock_class(group=group, by=by)
    _end(locked, now)
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    join_code = JoinCode.objects.create(
        group=locked,
        code=code,
        created_by=by,
        created_at=now,
        expires_at=now + timedelta(days=days),
        max_uses=max_uses,
    )
    _record(locked, by, {"join_code": "", "expires_at": join_code.expires_at, "uses": max_uses})
    return join_code


@transaction.atomic
def end_join_code(*, group: Group, by: User, now: datetime) -> bool:
    """End the code of a class: nobody joins by it any more; return whether there was one."""
    locked = lock_class(group=group, by=by, archived_too=True)
    was_open = _end(locked, now)
    if was_open:
        _record(locked, by, {"join_code": "ended"})
    return was_open


def _end(group: Group, now: datetime) -> bool:
    return bool(JoinCode.objects.filter(group=group, ended_at=None).update(ended_at=now))


def _record(group: Group, by: User, after: dict[str, object]) -> None:
    record(AuditCode.GROUP_CHANGED, about=group, by=by, group=group.pk, after=after)


def find_current_code(group: Group, now: datetime) -> JoinCode | None:
    """Return the code by which people can join a class now, if there is one."""
    return _list_valid(now).filter(group=group).first()


def _list_valid(now: datetime) -> QuerySet[JoinCode]:
    has_room = Q(max_uses=None) | Q(uses__lt=F("max_uses"))
    return JoinCode.objects.filter(
        has_room, ended_at=None, expires_at__gt=now, group__archived_at=None
    )


def normalize_code(text: str) -> str:
    """Return a code as it is kept, however it was typed: without hyphens and blanks, in capitals.

    What cannot be one: "".
    """
    code = "".join(text.upper().replace("-", "").split())
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""


def format_code(code: str) -> str:
    """Return a code as people read it: in two halves."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def find_join_code(*, text: str, user: User, now: datetime) -> JoinCode:
    """Return the valid code that was typed. None, ended, expired or full: NotFound.

    Who tries many that are none: Refused (too_many_codes), whatever the next one is.
    """
    key = account_key(f"join code/{user.pk}")
    # Counted before it is looked at: of many at once, no more are.
    if not consume_attempt(key=key, now=now, limit=MAX_WRONG_CODES):
        raise Refused("too_many_codes")
    codes = _list_valid(now).select_related("group", "created_by")
    join_code = codes.filter(code=normalize_code(text) or None).first()
    if join_code is None:
        raise NotFound
    refund_attempt(key=key, consumed_at=now)
    return join_code


def join_class(*, text: str, user: User, now: datetime) -> Membership:
    """Let a person into the class of a code; who is in it already stays as they are.

    As a learner, or as what the list of the class says of their address. The address is not
    confirmed: Refused (address_not_confirmed). Errors of the code: as of `find_join_code`.
    """
    if not user.is_confirmed:
        raise Refused("address_not_confirmed")
    # Not in the transaction: what is counted of a wrong code has to stay.
    join_code = find_join_code(text=text, user=user, now=now)
    with transaction.atomic():
        # Whoever archives the class waits, or is first; so does who takes the last place.
        group = Group.objects.select_for_update().get(pk=join_code.group_id)
        existing = Membership.objects.filter(group=group, user=user).first()
        if existing is not None:
            return existing
        if not _list_valid(now).filter(pk=join_code.pk).update(uses=F("uses") + 1):
            raise NotFound
        return admit(group=group, user=user, now=now)
