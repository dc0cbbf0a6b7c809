"""Celery beat with a heartbeat file, which a health check reads.

The schedule is fixed in code and every sweep may run at any time, so nothing needs to be stored
between two starts. The file holds seconds of the steady clock: its own time would lie when somebody
sets the machine's. `python -m config.heartbeat` says whether beat is alive. Other machines cannot
read the file: for them the time of the last beat, by the database's clock, is in the cache.
"""

import logging
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from celery.beat import Scheduler
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, close_old_connections

from config import env
from quizzes.lib import clock, steady_clock

log = logging.getLogger(__name__)

# Seconds: how often the file is written, and how old it may be.
INTERVAL, MAX_AGE = 10, 60
CACHE_KEY = "scheduler-heartbeat"


def heartbeat_file() -> Path:
    """Return the file that holds the second of the last beat (OCHENTA_HEARTBEAT)."""
    return Path(env.text("OCHENTA_HEARTBEAT", str(settings.DATA_DIR / "heartbeat")))


class HeartbeatScheduler(Scheduler):
    """Celery's plain scheduler; each tick writes the heartbeat file."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; return the seconds until the next tick."""
        pause: float = super().tick(*args, **kwargs)
        heartbeat_file().write_text(str(steady_clock.seconds()))
        record_beat()
        return min(pause, INTERVAL)


def is_alive(now: float) -> bool:
    """Return whether the last beat is recent; `now` in seconds of the steady clock."""
    try:
        last_beat = float(heartbeat_file().read_text())
    except (OSError, ValueError):
        return False
    # Seconds ahead of now are from before the machine was started anew.
    return 0 <= now - last_beat < MAX_AGE


def record_beat() -> None:
    """Tell the other processes of the site; without a database nobody asks."""
    try:
        cache.set(CACHE_KEY, clock.read_now(), timeout=None)
    except DatabaseError:
        log.warning("the heartbeat cannot be written to the database")
    finally:
        close_old_connections()


def is_recorded(now: datetime) -> bool:
    """Return whether the last beat of any machine is recent; `now` by the database's clock."""
    last_beat = cache.get(CACHE_KEY)
    return isinstance(last_beat, datetime) and now - last_beat < timedelta(seconds=MAX_AGE)


if __name__ == "__main__":
    sys.exit(os.EX_OK if is_alive(steady_clock.seconds()) else "Celery beat has stopped.")
