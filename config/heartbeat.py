"""Celery beat with a heartbeat file, which a health check reads.

The schedule is fixed in code and every sweep may run at any time, so nothing needs to be stored
between two starts. `python -m config.heartbeat` says whether beat is alive.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

from celery.beat import Scheduler
from django.conf import settings

from config import env

# Seconds: how often the file is touched, and how old it may be.
INTERVAL, MAX_AGE = 10, 60


def heartbeat_file() -> Path:
    """Return the file whose time of change is the last beat (OCHENTA_HEARTBEAT)."""
    return Path(env.text("OCHENTA_HEARTBEAT", str(settings.DATA_DIR / "heartbeat")))


class HeartbeatScheduler(Scheduler):
    """Celery's plain scheduler; each tick touches the heartbeat file."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; return the seconds until the next tick."""
        pause: float = super().tick(*args, **kwargs)
        heartbeat_file().touch()
        return min(pause, INTERVAL)


def is_alive(now: float) -> bool:
    """Return whether the last beat is recent; `now` in seconds since 1970."""
    try:
        beaten = heartbeat_file().stat().st_mtime
    except OSError:
        return False
    return now - beaten < MAX_AGE


if __name__ == "__main__":
    sys.exit(os.EX_OK if is_alive(time.time()) else "Celery beat has stopped.")
