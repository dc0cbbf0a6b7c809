"""Counting and recording guesses at what proves who somebody is: a password, or a second factor."""

from collections.abc import Iterator
from contextlib import contextmanager

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import login_throttle
from accounts.account_audit import record_failed_sign_in
from accounts.models import User


@contextmanager
def limited_guess(*, key: str, user: User) -> Iterator[None]:
    """Count a guess under this key while the block compares it, and record it if it is wrong.

    Too many before: ValidationError, and the block is not entered. What is wrong raises
    ValidationError in the block; what is right counts no longer.
    """
    now = timezone.now()
    if not login_throttle.consume_attempt(key=key, now=now, user=user):
        record_failed_sign_in(user.email, locked=True)
        raise get_adapter().validation_error("too_many_login_attempts")
    try:
        yield
    except ValidationError:
        record_failed_sign_in(user.email)
        raise
    login_throttle.refund_attempt(key=key, consumed_at=now)
