"""Throttling of sign-ins: ten attempts in a quarter of an hour, counted by the database.

A count in the cache is read and then written, so a hundred attempts at once would all pass. A
device on which a user has signed in before has a count of its own, so that whoever guesses the
password from elsewhere does not lock the owner out; until password or second factor change.

Who guesses at many accounts from one network address is slowed down without locking out those who
share it: after a hundred failures each account still has a few attempts from there. A code by mail
always lets the owner in, and whoever oversees a person can unlock them.
"""

import secrets
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.access import check_overseer
from accounts.addresses import normalize
from accounts.code_request_links import find_followed_link
from accounts.models import FailedLogins, User
from accounts.second_factors import list_second_factors
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record

MAX_ATTEMPTS = 10
MAX_FAILURES_FROM_NETWORK = 100
"""Failures from one network address, at any accounts, before each has fewer attempts from there."""
MAX_ATTEMPTS_FROM_BUSY_NETWORK = 3
MAX_CODES = 5
"""Codes that a network address, a known device or a link in a mail may ask for an account."""
WINDOW = timedelta(minutes=15)
IPV6_NETWORK = 64
"""Bits of an IPv6 address that count: the rest a customer of a network chooses at will."""
KNOWN_DEVICES_COOKIE = f"{settings.COOKIE_PREFIX}known_devices"
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
    row.limit = limit
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


def is_network_busy(*, network_address: str, now: datetime) -> bool:
    """Return whether so many sign-ins failed from there that each account has fewer attempts."""
    row = FailedLogins.objects.filter(key=network_key(network_address)).first()
    return row is not None and len(_list_recent(row, now)) >= MAX_FAILURES_FROM_NETWORK


def count_failure_from(*, network_address: str, now: datetime) -> None:
    """Count that a sign-in failed, at whatever account, from this network address."""
    consume_attempt(key=network_key(network_address), now=now, limit=MAX_FAILURES_FROM_NETWORK)


def count_recent(row: FailedLogins, now: datetime) -> int:
    """Count the attempts that count now."""
    return len(_list_recent(row, now))


def locked_until(row: FailedLogins, now: datetime) -> datetime | None:
    """Return when the next attempt is possible where there is none now."""
    recent = _list_recent(row, now)
    if len(recent) < row.limit:
        return None
    return datetime.fromtimestamp(recent[-row.limit], UTC) + WINDOW


def list_locked(people: Collection[int], now: datetime) -> dict[int, datetime]:
    """Return those of these people who cannot try to sign in from somewhere, and until when."""
    rows = FailedLogins.objects.filter(user__in=people, updated_at__gte=now - WINDOW)
    locked: dict[int, datetime] = {}
    for row in rows:
        until = locked_until(row, now)
        if until is not None and row.user_id is not None:
            locked[row.user_id] = max(until, locked.get(row.user_id, until))
    return locked


def reset_attempts(*, key: str) -> None:
    """Forget all attempts of this key: the owner has proved who they are in another way."""
    FailedLogins.objects.filter(key=key).delete()


def forget_failures(*, user: User) -> None:
    """Forget the attempts at signing in as this person from anywhere: they have proved themselves.

    Nothing is recorded: the sign-in that proves it is.
    """
    FailedLogins.objects.filter(user=user).delete()


@transaction.atomic
def unlock(*, user: User, by: User) -> None:
    """Let a person who has tried too often try again, anywhere, and record who did.

    By an administrator or an instructor of theirs; anybody else: NotFound.
    """
    check_overseer(by, user)
    forget_failures(user=user)
    record(AuditCode.SIGN_IN_UNLOCKED, about=user, by=by)


def delete_stale(*, now: datetime) -> int:
    """Delete rows that no longer count; return how many."""
    return FailedLogins.objects.filter(updated_at__lt=now - 2 * WINDOW).delete()[0]


def _digest(*parts: str) -> str:
    """Return the key of a count: a digest, since what is typed as a login may be any text."""
    return salted_hmac(SALT, "/".join(parts), algorithm="sha256").hexdigest()


def account_key(login: str) -> str:
    """Return the key for attempts at an account from unknown devices, by its e-mail address."""
    return _digest(login.strip().lower())


def network_key(network_address: str) -> str:
    """Return the key for failures from a network address; IPv6 counts by the /64."""
    return _digest("network", _find_network(network_address))


def account_from_network_key(network_address: str, login: str) -> str:
    """Return the key for attempts at an account from one network address."""
    return _digest(account_key(login), "network", _find_network(network_address))


def attempt_key(request: HttpRequest, login: str) -> str:
    """Return the key for attempts at an account from this device: its own if it is known."""
    device = _find_device(request, login)
    return _digest(account_key(login), device) if device else account_key(login)


def code_request_key(request: HttpRequest, login: str, network_address: str) -> str:
    """Return the key for codes by mail: of the device if it is known, else of the network address.

    So nobody elsewhere can use up the codes of the owner; nor behind the same network address, once
    the owner has followed the link in one of the mails.
    """
    if is_known_device(request, login):
        return _digest("code", attempt_key(request, login))
    link = find_followed_link(request.session)
    if link is not None and account_key(link.address) == account_key(login):
        return _digest("code", "link", link.id)
    return _digest("code", _find_network(network_address), account_key(login))


def code_guess_key(session: str | None) -> str:
    """Return the key for guesses at the code by mail that was asked for in one session."""
    return _digest("code of", session or "")


def second_factor_key(request: HttpRequest, login: str) -> str:
    """Return the key for guesses at the second factor of an account from this device."""
    return _digest("second factor", attempt_key(request, login))


def _find_network(network_address: str) -> str:
    """Return what counts of a network address: of IPv6 the /64, or the IPv4 that is mapped."""
    try:
        parsed = ip_address(network_address)
    except ValueError:
        return network_address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(IPv6Network((parsed, IPV6_NETWORK), strict=False))
        parsed = parsed.ipv4_mapped
    return str(parsed)


def is_known_device(request: HttpRequest, login: str) -> bool:
    """Return whether this account has signed in on this device before, as it is protected now."""
    return _find_device(request, login) is not None


def remember_device(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Remember in a signed cookie that this person has signed in on this device."""
    devices = _known_devices(request)
    device = _find_device(request, user.email) or secrets.token_hex(8)
    account = account_key(user.email)
    devices.pop(account, None)
    entry = (account, [device, _digest_credentials(user)])
    remembered = dict([*devices.items(), entry][-MAX_ACCOUNTS_PER_DEVICE:])
    response.set_cookie(
        KNOWN_DEVICES_COOKIE,
        signing.dumps(remembered, salt=SALT),
        max_age=COOKIE_AGE,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _digest_credentials(user: User) -> str:
    """Return a digest of what signing in asks of a person: another password or factor, another."""
    factors = ",".join(str(factor.pk) for factor in list_second_factors(user))
    return _digest("credentials", user.get_session_auth_hash(), factors)


def _find_device(request: HttpRequest, login: str) -> str | None:
    """Return the id of this device for an account; None unless its owner has signed in on it.

    What signing in asks must be the same since then: who knew the former password knows no device.
    """
    entry = _known_devices(request).get(account_key(login))
    if not isinstance(entry, list):
        return None
    user = User.objects.filter(email=normalize(login)).first()
    if user is None:
        return None
    device, credentials = entry
    return device if constant_time_compare(credentials, _digest_credentials(user)) else None


def _known_devices(request: HttpRequest) -> dict[str, Any]:
    """Return [device, credentials] by account from the cookie; none if it is forged or too old."""
    try:
        devices: Any = signing.loads(
            request.COOKIES.get(KNOWN_DEVICES_COOKIE, ""), salt=SALT, max_age=COOKIE_AGE
        )
    except signing.BadSignature:
        return {}
    return devices if isinstance(devices, dict) else {}
