"""What the clock asks for: mails that wait are sent; what no longer counts is deleted."""

from celery import shared_task
from django.utils import timezone

from accounts import login_throttle, security_notices
from accounts.models import Session
from quizzes.lib import clock


@shared_task
def sweep_stale() -> None:
    """Delete sessions that are over, and failed sign-ins that no longer count."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    login_throttle.delete_stale(now=now)


@shared_task
def send_security_notices() -> int:
    """Send the mails on changes of accounts that wait; return how many."""
    return security_notices.send_due(now=clock.now())
