"""Periodic work on attempts; each task calls one service."""

from celery import shared_task

from quizzes.attempts import services
from quizzes.lib import clock


@shared_task
def sweep_expired() -> int:
    """End attempts whose time is over."""
    return services.expire(now=clock.now())
