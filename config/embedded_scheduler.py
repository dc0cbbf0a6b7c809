"""The periodic tasks of a site without Celery: the same schedule, in a process of their own.

They ran in a thread of each process of the web, where Python runs one thread at a time: while they
counted the statistics of a class, nobody of it was served. Now one of the processes of the web, the
one that holds the lock, runs `python -m config.embedded_scheduler`. That ends when its standard
input does, so with the process that started it; then another one starts it. While it goes on it
writes to its standard output: one that is frozen or stuck is ended and started again. ADR 67.
"""

import fcntl
import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from typing import IO, Final, cast

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
MAX_SILENCE: Final = 60.0
"""Seconds without a sign of life after which the process is ended."""
TIME_TO_END: Final = 5.0
"""Seconds that the process has to end when its input does."""

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
        """Run the process until it ends or shall, or writes nothing any more."""
        with _start_process() as process:
            watch = OutputWatch(process)
            while not self._stop.wait(1) and process.poll() is None and watch.is_alive():
                pass
            if process.poll() is None:
                _terminate(process)
        if not self._stop.is_set():
            log.error("The process of the periodic tasks ended with %s.", process.returncode)


class OutputWatch:
    """What a process writes to its standard output, and how long ago it did."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._output = cast("IO[bytes]", process.stdout)
        os.set_blocking(self._output.fileno(), False)
        self._last_at = steady_clock.seconds()

    def is_alive(self) -> bool:
        """Read what was written meanwhile; return whether it wrote lately."""
        now = steady_clock.seconds()
        if self._output.read(1024):
            self._last_at = now
        return now - self._last_at < MAX_SILENCE


def _terminate(process: subprocess.Popen[bytes]) -> None:
    """End it by the end of its input; whatever does not answer to that, by force."""
    cast("IO[bytes]", process.stdin).close()
    try:
        process.wait(TIME_TO_END)
    except subprocess.TimeoutExpired:
        log.error("The process of the periodic tasks does not answer and is killed.")  # noqa: TRY400  # its cause says nothing
        process.kill()


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
        stdout=subprocess.PIPE,
        bufsize=0,
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
    """Return whether the tasks run, in whichever process, if this one has to do with it."""
    return all(supervisor.is_new() for supervisor in supervisors) or heartbeat.is_recorded(
        clock.now()
    )


class TaskRunner:
    """Runs what is due, and gives signs of life beside it as long as nothing is stuck."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._longest_tick = max(task.time_limit or HARD for task in app.tasks.values())
        self._tick_began_at = steady_clock.seconds()

    def run(self) -> None:
        """Go on for ever; whatever goes wrong, try again at the next tick."""
        threading.Thread(target=self._report_alive_regularly, daemon=True).start()
        while True:
            time.sleep(self.tick())

    def tick(self) -> float:
        """Run what is due now; return the seconds to wait, from 0 to LONGEST_PAUSE."""
        self._tick_began_at = steady_clock.seconds()
        close_old_connections()
        try:
            pause = float(self._scheduler.tick())
        except Exception:
            log.exception("A periodic task could not be started.")
            pause = LONGEST_PAUSE
        finally:
            close_old_connections()
        # Celery's pause is below 0 where the tick took longer than the time until the next task.
        return min(max(pause, 0), LONGEST_PAUSE)

    def report_alive(self) -> None:
        """Tell the process that started this one, and all others, unless a tick is stuck.

        A tick runs one task, which may take as long as Celery would give it.
        """
        if steady_clock.seconds() - self._tick_began_at < self._longest_tick:
            os.write(1, b".")
            heartbeat.record_beat()

    def _report_alive_regularly(self) -> None:
        while True:
            try:
                self.report_alive()
            except Exception:  # without its signs the process would be ended
                log.exception("A sign of life could not be given.")
            time.sleep(heartbeat.INTERVAL)


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
    TaskRunner(Scheduler(app=app)).run()


if __name__ == "__main__":
    main()
