"""The periodic tasks of a site without Celery: the same schedule, in a process of low priority.

They ran in a thread of each process of the web, where Python runs one thread at a time: while they
counted the statistics of a class, nobody of it was served. Now one of the processes of the web, the
one that holds the lock, runs `python -m config.embedded_scheduler`. That ends when its standard
input does, so with the process that started it; then another one starts it.
"""

import fcntl
import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import django
from celery.beat import Scheduler
from django.conf import settings
from django.db import close_old_connections

from config import env, heartbeat
from config.celery import app
from quizzes.lib.private_folder import restrict_new_files
from quizzes.lib.process_priority import lower_priority

log = logging.getLogger(__name__)
PROJECT = Path(__file__).parent.parent
LONGEST_PAUSE = 30.0
"""Seconds between two looks at what is due, or between two starts of the process."""

supervisors: list["Supervisor"] = []
"""That of this process, once it is started."""


class Supervisor:
    """Keeps the process running that runs the tasks, if no other process of the site does."""

    def __init__(self) -> None:
        self._began_at = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """End, with the process."""
        self._stop.set()
        self._thread.join()

    def is_alive(self, now: float) -> bool:
        """Return whether the tasks run in whichever process; `now` in seconds of the steady clock.

        They are given a minute to begin.
        """
        is_new = time.monotonic() - self._began_at < heartbeat.MAX_AGE
        return self._thread.is_alive() and (is_new or heartbeat.is_alive(now))

    def _run(self) -> None:
        with (settings.DATA_DIR / "scheduler.lock").open("a") as lock:
            while not self._has_locked(lock.fileno()):
                if self._stop.wait(heartbeat.INTERVAL):
                    return
            while not self._stop.is_set():
                self._watch_process()
                self._stop.wait(LONGEST_PAUSE)

    @staticmethod
    def _has_locked(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _watch_process(self) -> None:
        """Run the process until it ends or shall; give a sign of life while it runs."""
        with _start_process() as process:
            while not self._stop.wait(heartbeat.INTERVAL) and process.poll() is None:
                heartbeat.write_file()
        if not self._stop.is_set():
            log.error("The process of the periodic tasks ended with %s.", process.returncode)


def _start_process() -> subprocess.Popen[bytes]:
    """Start it as the leader of a session: no signal of a terminal ends it."""
    return subprocess.Popen(
        [sys.executable, "-m", "config.embedded_scheduler"],
        stdin=subprocess.PIPE,
        cwd=PROJECT,
        start_new_session=True,
    )


def start() -> None:
    """See to it that the periodic tasks run, unless Celery's own scheduler does."""
    if app.conf.task_always_eager:
        supervisor = Supervisor()
        supervisor.start()
        supervisors.append(supervisor)


def run(scheduler: Scheduler) -> None:
    """Run what is due, for ever; whatever goes wrong, try again at the next tick."""
    while True:
        time.sleep(tick(scheduler))


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


def end_with_input() -> None:
    """End this process when its standard input does; each task may be broken off at any time."""
    os.read(0, 1)
    os._exit(os.EX_OK)


def main() -> None:
    """Run the tasks until standard input ends."""
    threading.Thread(target=end_with_input, daemon=True).start()
    lower_priority()
    if env.text("OCHENTA_MODE", "embedded") == "embedded":
        restrict_new_files()
    django.setup()
    app.loader.import_default_modules()
    run(Scheduler(app=app))


if __name__ == "__main__":
    main()
