"""Imports are read and written by tasks; each task calls one service.

An import may take longer than other tasks: it stops itself (`jobs.MAX_DURATION`) before Celery
does.
"""

import logging
import subprocess
import sys
import time
from threading import Thread
from typing import Final

from celery import Task, current_app, shared_task
from django.conf import settings
from django.db import connection
from kombu.exceptions import OperationalError

from quizzes.imports import import_reading, job_files, jobs
from quizzes.imports.models import BUSY, ImportJob, State
from quizzes.lib import clock
from quizzes.lib.statements import allow_long_statements

SOFT = int(jobs.MAX_DURATION.total_seconds()) + 60
HARD = SOFT + 60
WAIT: Final = 2.0
"""Seconds that an interface waits for a task before it shows the progress."""
PAUSE: Final = 0.02
"""Seconds between two looks at the row."""

log = logging.getLogger(__name__)


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def read_import(pk: int) -> None:
    """Read and plan one file."""
    with allow_long_statements():
        import_reading.read_and_plan(pk=pk, now=clock.now())


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def run_import(pk: int) -> None:
    """Write what was selected of one import."""
    with allow_long_statements():
        jobs.run(pk=pk, now=clock.now())
        jobs.refresh_findings(pk=pk)


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def sweep_imports() -> int:
    """Run what waits or was left behind."""
    with allow_long_statements():
        return jobs.sweep(now=clock.now())


NEXT_TASK: Final = {State.READING: read_import, State.QUEUED: run_import}


def advance(pk: int) -> None:
    """Start the task that an import waits for, if any, and wait a moment for its end."""
    state = ImportJob.objects.values_list("state", flat=True).get(pk=pk)
    if task := NEXT_TASK.get(State(state)):
        start(task, pk)
    until = time.monotonic() + WAIT
    while ImportJob.objects.filter(pk=pk, state__in=BUSY).exists() and time.monotonic() < until:
        time.sleep(PAUSE)


def start(task: "Task[[int], None]", pk: int) -> None:
    """Have a worker do a task; where there is none, or no broker, a thread sees to it.

    If the process ends before the task does, the sweep finds the row.
    """
    if not current_app.conf.task_always_eager:
        try:
            task.delay(pk)
        except OperationalError:
            log.warning("the broker does not answer; import %s goes on in this process", pk)
        else:
            return
    work = run_in_process if is_large(pk) else run_in_thread
    Thread(target=work, args=(task, pk), name=f"import {pk}", daemon=True).start()


def is_large(pk: int) -> bool:
    """Return whether an import takes seconds of CPU."""
    uuid = ImportJob.objects.filter(pk=pk).values_list("uuid", flat=True).first()
    return uuid is not None and job_files.measure_upload(uuid) >= settings.IMPORT_PROCESS_BYTES


def run_in_process(task: "Task[[int], None]", pk: int) -> None:
    """Do a task in a process that ends with it, and wait for that.

    Here its seconds of CPU would be taken from the pages that threads of this process make.
    """
    ended = subprocess.run(
        [sys.executable, "-m", "quizzes.imports.task_process"],
        input=f"{task.__name__} {pk}",
        text=True,
        cwd=settings.ROOT,
        check=False,
    )
    if ended.returncode:
        log.error("the process of import %s ended with %s", pk, ended.returncode)


def run_in_thread(task: "Task[[int], None]", pk: int) -> None:
    """Do a task in a thread that ends with it."""
    try:
        task.run(pk)
    except Exception:
        log.exception("import %s failed", pk)
    finally:
        connection.close()
