"""Imports too large for a request; each task calls one service."""

from celery import shared_task

from quizzes.exchange import arriving, jobs
from quizzes.lib import clock


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
