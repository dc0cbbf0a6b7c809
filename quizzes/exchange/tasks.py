"""Imports too large for a request; each task calls one service."""

import logging

from celery import Task, shared_task
from kombu.exceptions import OperationalError

from quizzes.exchange import arriving, jobs
from quizzes.lib import clock

log = logging.getLogger(__name__)


def wake(task: "Task[[int], None]", pk: int) -> None:
    """Have a task begin at once, if there is somebody to tell; else the sweep finds the row."""
    try:
        task.delay(pk)
    except OperationalError:
        log.warning("nobody takes tasks now; the sweep will")


@shared_task
def read_import(pk: int) -> None:
    """Read and plan one file."""
    arriving.look(pk=pk, now=clock.now())


@shared_task
def run_import(pk: int) -> None:
    """Do what was chosen of one import."""
    jobs.run(pk=pk, now=clock.now())


@shared_task
def sweep_imports() -> int:
    """Run what waits or was left behind."""
    return jobs.sweep(now=clock.now())
