"""The periodic tasks of notifications: read the outbox, then send what waits."""

from typing import Final

from celery import shared_task

from quizzes.lib import clock, steady_clock
from quizzes.notifications import (
    delivery,
    event_reading,
    study_reminders,
    window_reminders,
)

MAX_RUN_SECONDS: Final = 20.0
"""Seconds after which a run begins nothing more: other tasks of the embedded site wait for it."""


@shared_task
def send_notifications() -> int:
    """Write the notifications of unread events, and send those that wait; return how many.

    What one run does not come to, the next one does.
    """
    begun, sent = steady_clock.seconds(), 0
    while event_reading.read_events(now=clock.now()) and _remaining(begun) > 0:
        pass
    while _remaining(begun) > 0:
        batch = delivery.send_due(now=clock.now(), seconds=_remaining(begun))
        if not batch:
            break
        sent += batch
    return sent


@shared_task
def remind_of_windows() -> int:
    """Write who is to be told of quizzes that open or close soon; return how many."""
    return window_reminders.remind_of_windows(now=clock.now())


@shared_task
def remind_of_study() -> int:
    """Write who is to be told that cards wait to be studied; return how many."""
    return study_reminders.remind_of_study(now=clock.now())


def _remaining(begun: float) -> float:
    return MAX_RUN_SECONDS - (steady_clock.seconds() - begun)
