"""Periodic work on results; each task calls one service."""

from celery import shared_task

from quizzes.lib import clock
from quizzes.results import services


@shared_task
def sweep_ungraded() -> int:
    """Grade what was submitted and is not graded yet."""
    return services.sweep(now=clock.now())
