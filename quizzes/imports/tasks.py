"""Imports too large for a request; each task calls one service.

An import may take longer than other tasks: it stops itself (`jobs.LONGEST`) before it is told to.
"""

import logging
from threading import Thread

from celery import Task, current_app, shared_task
from django.db import connection
from kombu.exceptions import OperationalError

from quizzes.imports import import_reading, jobs
from quizzes.lib import clock
from quizzes.lib.statements import allow_long_statements

SOFT = int(jobs.MAX_DURATION.total_seconds()) + 60
HARD = SOFT + 60

log = logging.getLogger(__name__)


def wake(task: "Task[[int], None]", pk: int) -> None:
    """Have a task begin at once, if there is somebody to tell; else the sweep finds the row."""
    try:
        task.delay(pk)
    except OperationalError:
        log.warning("nobody takes tasks now; the sweep will")


def soon(task: "Task[[int], None]", pk: int) -> None:
    """Have a task begin without anybody waiting, also where no worker is: in a thread."""
    if current_app.conf.task_always_eager:
        Thread(target=by_itself, args=(task, pk), name=f"import {pk}", daemon=True).start()
    else:
        wake(task, pk)


def by_itself(task: "Task[[int], None]", pk: int) -> None:
    """Do a task in a thread that ends with it."""
    try:
        task.run(pk)
    except Exception:
        log.exception("import %s failed", pk)
    finally:
        connection.close()


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def read_import(pk: int) -> None:
    """Read and plan one file."""
    with allow_long_statements():
        import_reading.read_and_plan(pk=pk, now=clock.now())


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def run_import(pk: int) -> None:
    """Do what was chosen of one import."""
    with allow_long_statements():
        jobs.run(pk=pk, now=clock.now())


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def sweep_imports() -> int:
    """Run what waits or was left behind."""
    with allow_long_statements():
        return jobs.sweep(now=clock.now())
