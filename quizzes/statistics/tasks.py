"""The periodic task of statistics: count what changed, then measure."""

from typing import Final

from celery import shared_task

from quizzes.lib import clock, steady_clock
from quizzes.lib.statements import allow_long_statements
from quizzes.statistics.counting import count_changes
from quizzes.statistics.measuring import list_due, measure

MAX_RUN_SECONDS: Final = 20.0
"""Seconds after which a run begins nothing more: other tasks of the embedded site wait for it."""


@shared_task
def update_statistics() -> int:
    """Count attempts that changed, and measure their quiz versions once all are counted.

    Return how many attempts were looked at. What one run does not come to, the next one does.
    """
    begun, looked_at = steady_clock.seconds(), 0
    with allow_long_statements():
        while steady_clock.seconds() - begun < MAX_RUN_SECONDS:
            batch = count_changes()
            if batch is None:
                return looked_at
            looked_at += batch
            if not batch:
                measure_due(begun)
                break
    return looked_at


def measure_due(begun: float) -> None:
    """Measure what is due, one after the other, until the run has lasted long enough."""
    now = clock.now()
    for statistics in list_due(now):
        if steady_clock.seconds() - begun >= MAX_RUN_SECONDS:
            break
        measure(statistics, now)
