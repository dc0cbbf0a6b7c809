"""Periodic housekeeping: what no longer counts is deleted, so that it does not pile up."""

from celery import shared_task
from django.utils import timezone

from accounts import guessing
from accounts.sessions import SessionStore


@shared_task
def sweep_stale() -> None:
    """Delete sessions that are over, and counts of guesses that no longer count."""
    SessionStore.clear_expired()
    guessing.sweep(now=timezone.now())
