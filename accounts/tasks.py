"""Periodic housekeeping: what no longer counts is deleted, so that it does not pile up."""

from celery import shared_task
from django.utils import timezone

from accounts import login_throttle
from accounts.models import Session


@shared_task
def sweep_stale() -> None:
    """Delete sessions that are over, and failed sign-ins that no longer count."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    login_throttle.delete_stale(now=now)
