"""Sealing by the clock: every minute, in one process at a time."""

from celery import shared_task

from quizzes.audit import sealing, services
from quizzes.lib import clock

MOST_BATCHES = 20
"""Batches one run seals at most; the next minute goes on."""


@shared_task
def seal_audit_events() -> int:
    """Seal what was recorded since the last time; return how many events."""
    services.record_refusals_counted()
    sealed = 0
    for _ in range(MOST_BATCHES):
        count = sealing.seal(now=clock.now())
        sealed += count
        if count < sealing.BATCH:
            break
    return sealed
