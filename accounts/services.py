"""Use cases for users: accounts, groups, API tokens and signed-in devices."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from accounts.access import (
    check_administrator,
    check_self_or_administrator,
    has_second_factor,
)
from accounts.account_audit import record_membership, record_token
from accounts.addresses import normalize
from accounts.models import ApiToken, Group, Membership, Role, RosterImport, Session, User
from accounts.selectors import device_id
from accounts.zones import validate_zone
from quizzes.audit.codes import AuditCode
from quizzes.audit.origin import find_origin
from quizzes.audit.services import record

DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS, MAX_TOKENS = 90, 365, 50
EXPIRED_TOKEN_LIFETIME = timedelta(days=30)
"""How long a token that has expired is still listed: its program fails, and its owner looks why."""
ROSTER_LIFETIME = timedelta(days=7)
"""How long a list of people is kept that was read for a class."""
MAX_TOKEN_ADDRESSES = 50
"""From how many addresses a token is known to be used; the one met longest ago goes."""


class TooManyTokens(Exception):
    """This person has as many tokens as anybody may have; one has to be revoked first."""


@transaction.atomic
def get_or_create_user(
    *, email: str, name: str, password: str, language: str = "", administrator: bool = False
) -> User:
    """Return the user with this address, created if missing; an existing one stays unchanged."""
    existing = User.objects.filter(email=normalize(email)).first()
    if existing is not None:
        return existing
    user = User.objects.create_user(
        email, password, name=name, language=language, is_superuser=administrator
    )
    record(AuditCode.ACCOUNT_CREATED, about=user, after={"administrator": administrator})
    return user


def update_browser_zone(*, user: User, zone: str) -> None:
    """Set the time zone to the browser's, unless the user has chosen one."""
    if zone and zone != user.time_zone and not user.time_zone_chosen:
        user.time_zone = zone
        user.save(update_fields=["time_zone"])


def choose_zone(*, user: User, zone: str) -> None:
    """Save the zone that a user has chosen; from now on no browser changes it."""
    validate_zone(zone)
    user.time_zone, user.time_zone_chosen = zone, True
    user.save(update_fields=["time_zone", "time_zone_chosen"])


@transaction.atomic
def add_to_group(*, user: User, group: Group, role: Role, by: User | None) -> Membership:
    """Add a user to a group, or change the role of one who is in it already.

    By an administrator, or the site itself (None); anybody else: NotFound.
    """
    check_administrator(by)
    before = Membership.objects.filter(user=user, group=group).first()
    if before is not None and before.role == role:
        return before
    membership, _ = Membership.objects.update_or_create(
        user=user, group=group, defaults={"role": role}
    )
    record_membership(membership, before=before.role if before else "", after=role)
    return membership


@transaction.atomic
def remove_from_group(*, user: User, group: Group, by: User | None) -> None:
    """Take a user out of a group; who is not in it stays so. Who may: as in `add_to_group`."""
    check_administrator(by)
    membership = Membership.objects.filter(user=user, group=group).first()
    if membership is not None:
        record_membership(membership, before=membership.role)
        membership.delete()


@transaction.atomic
def issue_token(*, user: User, name: str, scopes: Iterable[str], days: int) -> tuple[ApiToken, str]:
    """Create a token; its text is returned here and stored nowhere. Too many: TooManyTokens."""
    # One at a time for each person: counted side by side, two could both be the last.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if ApiToken.objects.filter(user=user).count() >= MAX_TOKENS:
        raise TooManyTokens
    token_and_text: tuple[ApiToken, str] = ApiToken.objects.create(
        user=user,
        name=name,
        scopes=sorted(set(scopes)),
        expiry=timedelta(days=days),
        second_factor_given=has_second_factor(user),
    )
    record_token(AuditCode.TOKEN_CREATED, token_and_text[0])
    return token_and_text


@transaction.atomic
def revoke_token(*, user: User, token: str) -> bool:
    """Delete the token that begins so, if it is theirs; return whether there was one."""
    tokens = ApiToken.objects.select_related("user").filter(user=user, token_key=token)
    for revoked in tokens:
        record_token(AuditCode.TOKEN_REVOKED, revoked)
    return bool(tokens.delete()[0])


@transaction.atomic
def note_token_address(*, token: ApiToken) -> None:
    """Remember from where a token is used, and record an address that is new to it."""
    address = find_origin().address
    if address in token.used_from:
        return
    locked = ApiToken.objects.select_for_update(of=("self",)).select_related("user")
    current = locked.filter(pk=token.pk).first()
    if current is None or address in current.used_from:
        return
    current.used_from = [*current.used_from, address][-MAX_TOKEN_ADDRESSES:]
    current.save(update_fields=["used_from"])
    record_token(AuditCode.TOKEN_USED, current)


@transaction.atomic
def sign_out_device(*, user: User, device: str, here: str, by: User) -> bool:
    """Sign this person out on another device; return whether there was one.

    `device` is the name that `device_id` gives, `here` the key of the session that asks: one
    signs out of that one by signing out. By themselves or an administrator; others: NotFound.
    """
    check_self_or_administrator(by, user)
    elsewhere = Session.objects.filter(user=user).exclude(session_key=here)
    keys = elsewhere.values_list("session_key", flat=True)
    matching_keys = [key for key in keys if device_id(key) == device]
    ended, _ = Session.objects.filter(user=user, session_key__in=matching_keys).delete()
    if ended:
        record(AuditCode.SESSIONS_ENDED, about=user, by=by, after={"sessions": ended})
    return bool(ended)


@transaction.atomic
def sign_out_elsewhere(*, user: User, here: str, by: User) -> None:
    """Sign this person out on every device but the one whose session has the key `here`.

    By themselves or an administrator; anybody else: NotFound.
    """
    check_self_or_administrator(by, user)
    ended, _ = Session.objects.filter(user=user).exclude(session_key=here).delete()
    if ended:
        record(AuditCode.SESSIONS_ENDED, about=user, by=by, after={"sessions": ended})


def delete_expired(*, now: datetime) -> None:
    """Delete sessions that are over, tokens that expired long ago, and old lists of people."""
    RosterImport.objects.filter(created_at__lt=now - ROSTER_LIFETIME).delete()
    Session.objects.filter(expire_date__lt=now).delete()
    ApiToken.objects.filter(expiry__lt=now - EXPIRED_TOKEN_LIFETIME).delete()
