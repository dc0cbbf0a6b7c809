"""The clock behind the periodic tasks, with a sign of life that a health check can read.

The time-table is fixed in code and every sweep may run at any time, so nothing of it needs to
be remembered between two starts. `python -m config.beat` says whether the clock is alive.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

from celery.beat import Scheduler
from django.conf import settings

from config import env

# Seconds: how often the sign is given, and how old it may be.
RHYTHM, TOO_OLD = 10, 60


def sign_of_life() -> Path:
    """Return the file whose time of change is the last beat (OCHENTA_HEARTBEAT)."""
    return Path(env.text("OCHENTA_HEARTBEAT", str(settings.DATA_DIR / "heartbeat")))


class Heartbeat(Scheduler):
    """Celery's plain scheduler; each tick touches the sign of life."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; return the seconds until the next tick."""
        pause: float = super().tick(*args, **kwargs)
        sign_of_life().touch()
        return min(pause, RHYTHM)


def alive(now: float) -> bool:
    """Return whether the last beat is recent; `now` in seconds since 1970."""
    try:
        beaten = sign_of_life().stat().st_mtime
    except OSError:
        return False
    return now - beaten < TOO_OLD


if __name__ == "__main__":
    sys.exit(os.EX_OK if alive(time.time()) else "The clock of the periodic tasks stands still.")
