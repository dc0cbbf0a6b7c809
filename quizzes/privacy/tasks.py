"""What people asked for of their data, by the clock: copies made and purged, erasures done."""

from celery import shared_task
from django.conf import settings

from quizzes.lib import clock
from quizzes.lib.statements import allow_long_statements
from quizzes.privacy import data_requests, guest_purge, retention


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
    """Remove what is over its retention, if the site has it done by the clock."""
    if settings.RETENTION_SCHEDULED:
        with allow_long_statements():
            retention.apply_retention(now=clock.now())
