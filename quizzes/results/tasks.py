"""The periodic task of the record."""

from celery import shared_task

from quizzes.lib import clock
from quizzes.results import checkpoints


@shared_task
def make_daily_checkpoint() -> None:
    """Make the checkpoint of the day, if there is none yet."""
    checkpoints.make_daily_checkpoint(now=clock.now())
