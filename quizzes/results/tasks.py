"""The periodic tasks of gradings and of the record."""

from typing import Final

from celery import shared_task

from quizzes.lib import clock
from quizzes.results import checkpoints, regrading

MAX_RUN_SECONDS: Final = 14.0
"""Seconds after which a run begins nothing more: other tasks of the embedded site wait for it."""


@shared_task
def continue_regrades() -> int:
    """Apply rules of regrade where they wait; return how many attempts were graded anew.

    What one run does not come to, the next one does.
    """
    return regrading.continue_regrades(now=clock.now(), seconds=MAX_RUN_SECONDS).regraded


@shared_task
def make_daily_checkpoint() -> None:
    """Make the checkpoint of the day, if there is none yet."""
    checkpoints.make_daily_checkpoint(now=clock.now())
