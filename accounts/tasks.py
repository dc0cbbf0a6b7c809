"""What the clock asks for: mails that wait are sent; what no longer counts is deleted."""

from typing import Final

from celery import shared_task
from django.utils import timezone

from accounts import invitation_mails, invitations, login_throttle, security_notices
from accounts.services import delete_expired
from quizzes.lib import clock

MAX_SENDING_SECONDS: Final = 20.0
"""Seconds after which a run begins no mail: a mail server that is away holds up each for as long
as its time-out, and other tasks wait behind it."""


@shared_task
def sweep_stale() -> None:
    """Delete sessions, tokens and invitations that are over, and failed sign-ins of long ago."""
    now = timezone.now()
    delete_expired(now=now)
    login_throttle.delete_stale(now=now)
    invitations.delete_old(now=now)
    invitation_mails.delete_old_counts(now=now)


@shared_task
def send_security_notices() -> int:
    """Send the mails on changes of accounts that wait; return how many.

    What one run does not come to, the next one does.
    """
    return security_notices.send_due(now=clock.now(), seconds=MAX_SENDING_SECONDS)
