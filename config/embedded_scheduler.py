"""The periodic tasks of a site without Celery: the same schedule, in a process of their own.

They ran in a thread of each process of the web, where Python runs one thread at a time: while they
counted the statistics of a class, nobody of it was served. Now one of the processes of the web, the
one that holds the lock, runs `python -m config.embedded_scheduler`. That ends when its standard
input does, so with the process that started it; then another one starts it. ADR 67.
"""

import fcntl
import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from typing import Final

import django
from celery.beat import Scheduler
from django.conf import settings
from django.db import close_old_connections, connection

from config import heartbeat
from config.celery import HARD, app
from quizzes.lib import clock, steady_clock
from quizzes.lib.process_priority import lower_priority

log = logging.getLogger(__name__)
LONGEST_PAUSE: Final = 30.0
"""Seconds between two looks at what is due."""
RETRY_AFTER: Final = 10.0
"""Seconds until the lock is asked for again, and a process that ended is started again."""

supervisors: list["Supervisor"] = []
"""That of this process, once it is started."""


class Supervisor:
    """Keeps the process running that runs the tasks, unless another process of the site does."""

    def __init__(self) -> None:
        self._began_at = steady_clock.seconds()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """End, with the process."""
        self._stop.set()
        self._thread.join()

    def is_new(self) -> bool:
        """Return whether the tasks may not have begun yet."""
        return steady_clock.seconds() - self._began_at < heartbeat.MAX_AGE

    def _run(self) -> None:
        with ExitStack() as held_files:
            while not _lock(held_files):
                if self._stop.wait(RETRY_AFTER):
                    return
            while not self._stop.is_set():
                try:
                    self._watch_process()
                except Exception:  # no memory for one more process, say
                    log.exception("The process of the periodic tasks could not be started.")
                self._stop.wait(RETRY_AFTER)

    def _watch_process(self) -> None:
        """Run the process until it ends or shall."""
        with _start_process() as process:
            while not self._stop.wait(1) and process.poll() is None:
                pass
        if not self._stop.is_set():
            log.error("The process of the periodic tasks ended with %s.", process.returncode)


def _lock(held_files: ExitStack) -> bool:
    """Return whether this process shall run the tasks; the lock is kept as long as the files.

    Where there can be no lock, as in a folder that is not ours, each process of the web runs them:
    all of them may run twice.
    """
    try:
        file = held_files.enter_context((settings.DATA_DIR / "scheduler.lock").open("a"))
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held_files.close()
        return False
    except OSError as error:
        log.warning("Each process of the web runs the periodic tasks: %s.", error)
    return True


def _start_process() -> subprocess.Popen[bytes]:
    """Start it as the leader of a session: no signal of a terminal ends it.

    Its statements may take as long as those of commands and tasks elsewhere.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "config.embedded_scheduler"],
        stdin=subprocess.PIPE,
        cwd=settings.ROOT,
        env={**os.environ, "OCHENTA_STATEMENT_SECONDS": "0"},
        start_new_session=True,
    )


def start() -> None:
    """See to it that the periodic tasks run, unless Celery's own scheduler does."""
    if app.conf.task_always_eager:
        supervisor = Supervisor()
        supervisor.start()
        supervisors.append(supervisor)


def is_alive() -> bool:
    """Return whether the tasks run, in whichever process, if this one has to do with it.

    None of them takes longer than Celery gives it.
    """
    return all(supervisor.is_new() for supervisor in supervisors) or heartbeat.is_recorded(
        clock.now(), max_age=HARD
    )


def run(scheduler: Scheduler) -> None:
    """Run what is due, for ever; whatever goes wrong, try again at the next tick."""
    while True:
        time.sleep(tick(scheduler))


def tick(scheduler: Scheduler) -> float:
    """Run what is due now; return the seconds to wait, from 0 to LONGEST_PAUSE."""
    close_old_connections()
    try:
        pause = float(scheduler.tick())
        heartbeat.record_beat()
    except Exception:
        log.exception("A periodic task could not be started.")
        pause = LONGEST_PAUSE
    finally:
        close_old_connections()
    # Celery's pause is below 0 where the tick itself took longer than the time until the next task.
    return min(max(pause, 0), LONGEST_PAUSE)


def end_with_input() -> None:
    """End this process when its standard input does; each task may be broken off at any time."""
    os.read(0, 1)
    os._exit(os.EX_OK)


def main() -> None:
    """Run the tasks until standard input ends."""
    threading.Thread(target=end_with_input, daemon=True).start()
    django.setup()
    # On SQLite whoever writes holds up all others, so it must not take longer than it must.
    if connection.vendor == "postgresql":
        lower_priority()
    app.loader.import_default_modules()
    run(Scheduler(app=app))


if __name__ == "__main__":
    main()
