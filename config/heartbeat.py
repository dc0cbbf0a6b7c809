"""Celery beat with a heartbeat file, which a health check reads.

The schedule is fixed in code and every sweep may run at any time, so nothing needs to be stored
between two starts. The file holds seconds of the steady clock: its own time would lie when somebody
sets the machine's. `python -m config.heartbeat` says whether beat is alive.
"""

import os
import sys
from pathlib import Path
from typing import Any

from celery.beat import Scheduler
from django.conf import settings

from config import env
from quizzes.lib import steady_clock

# Seconds: how often the file is written, and how old it may be.
INTERVAL, MAX_AGE = 10, 60


def heartbeat_file() -> Path:
    """Return the file that holds the second of the last beat (OCHENTA_HEARTBEAT)."""
    return Path(env.text("OCHENTA_HEARTBEAT", str(settings.DATA_DIR / "heartbeat")))


class HeartbeatScheduler(Scheduler):
    """Celery's plain scheduler; each tick writes the heartbeat file."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; return the seconds until the next tick."""
        pause: float = super().tick(*args, **kwargs)
        heartbeat_file().write_text(str(steady_clock.seconds()))
        return min(pause, INTERVAL)


def is_alive(now: float) -> bool:
    """Return whether the last beat is recent; `now` in seconds of the steady clock."""
    try:
        last_beat = float(heartbeat_file().read_text())
    except (OSError, ValueError):
        return False
    # Seconds ahead of now are from before the machine was started anew.
    return 0 <= now - last_beat < MAX_AGE


if __name__ == "__main__":
    sys.exit(os.EX_OK if is_alive(steady_clock.seconds()) else "Celery beat has stopped.")
