"""The periodic tasks of the embedded site: the same schedule, in a thread of the web process."""

import logging
import threading

from celery.beat import Scheduler
from django.db import close_old_connections

from config.celery import app

log = logging.getLogger(__name__)
LONGEST_PAUSE = 30.0

threads: list[threading.Thread] = []
"""That of this process, once it is started."""


def start() -> threading.Event | None:
    """Begin ticking unless Celery's own clock does it; set the event to stop."""
    if not app.conf.task_always_eager:
        return None
    app.loader.import_default_modules()
    stop = threading.Event()
    thread = threading.Thread(
        target=run, args=(Scheduler(app=app), stop), name="scheduler", daemon=True
    )
    thread.start()
    threads.append(thread)
    return stop


def run(scheduler: Scheduler, stop: threading.Event) -> None:
    """Run what is due until told to stop; whatever goes wrong, try again at the next tick."""
    pause = 0.0
    while not stop.wait(pause):
        pause = tick(scheduler)


def tick(scheduler: Scheduler) -> float:
    """Run what is due now; return the seconds to wait, LONGEST_PAUSE at most."""
    close_old_connections()
    try:
        pause = float(scheduler.tick())
    except Exception:
        log.exception("A periodic task could not be started.")
        pause = LONGEST_PAUSE
    finally:
        close_old_connections()
    return min(pause, LONGEST_PAUSE)
