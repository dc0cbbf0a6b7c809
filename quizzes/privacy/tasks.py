"""What people asked for of their data, by the clock: copies made and purged, erasures done."""

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from quizzes.lib import clock
from quizzes.lib.statements import allow_long_statements
from quizzes.privacy import data_requests, guest_purge, retention

DAY = 24 * 60 * 60
RETENTION_KEY = "retention-applied"
"""What the cache has for a day after the retention was applied."""


@shared_task
def handle_data_requests() -> int:
    """Make copies and do erasures that are due, delete copies that are over; return how many."""
    with allow_long_statements():
        now = clock.now()
        return data_requests.purge_exports(now=now) + data_requests.handle_due(now=now)


@shared_task
def erase_guests() -> int:
    """Erase guests who did not come back; return how many."""
    with allow_long_statements():
        return guest_purge.purge_guests(now=clock.now())


@shared_task
def apply_scheduled_retention() -> None:
    """Remove what is over its retention once a day, if the site has it done by the clock.

    Called more often: a schedule begins anew with its process, and few of them run for a day.
    """
    if settings.RETENTION_SCHEDULED and cache.add(RETENTION_KEY, "applied", timeout=DAY):
        try:
            with allow_long_statements():
                retention.apply_retention(now=clock.now())
        except BaseException:
            cache.delete(RETENTION_KEY)
            raise
