"""What the clock asks for: mails that wait are sent; what no longer counts is deleted."""

from celery import shared_task
from django.utils import timezone

from accounts import login_throttle, security_notices
from accounts.services import delete_expired
from quizzes.lib import clock


@shared_task
def sweep_stale() -> None:
    """Delete sessions and tokens that are over, and failed sign-ins that no longer count."""
    now = timezone.now()
    delete_expired(now=now)
    login_throttle.delete_stale(now=now)


@shared_task
def send_security_notices() -> int:
    """Send the mails on changes of accounts that wait; return how many."""
    return security_notices.send_due(now=clock.now())
