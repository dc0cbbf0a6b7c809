"""Imports to be killed: `python -m tests.faults.importing send | run | hasty | stop-… | sweep`.

`send` makes a bank and a job whose items are all chosen; `run` does it, `hasty` does it in two
transactions, as nobody should; `stop-staged`, `stop-finished` and `stop-committed` do it as far as
the rows, the end of the job or the commit, and wait there to be killed;
`sweep` comes when whoever was at it must be dead.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from django.conf import settings

from bench.importing import moodle
from quizzes.bank.models import Bank, Question
from quizzes.imports import import_reading, importer, job_files, jobs
from quizzes.imports.import_steps import ImportProgress, ImportStep
from quizzes.imports.importer import ImportSelection
from quizzes.imports.models import ImportJob
from quizzes.lib import clock
from quizzes.lib.row_writers import StagedWriter

QUESTIONS = 1000


def send() -> None:
    bank = Bank.objects.create(slug="killed", title={"en": "K"}, source="own", licence="own")
    job = jobs.create_import(
        bank=bank, data=moodle(QUESTIONS), filename="a.xml", format_="", language="", by=None
    )
    import_reading.read_and_plan(pk=job.pk, now=clock.now())
    jobs.confirm_selection(job=job, selected=set(range(QUESTIONS)), by=None)


def run() -> None:
    jobs.run(pk=ImportJob.objects.get().pk, now=clock.now())


def hasty() -> None:
    job = ImportJob.objects.get()
    parsed_file, half = import_reading.load_file(job).parsed_file, QUESTIONS // 2
    for numbers in (range(half), range(half, QUESTIONS)):
        importer.run_import(
            bank=job.bank,
            parsed_file=parsed_file,
            by=None,
            now=clock.now(),
            selection=ImportSelection(set(numbers)),
        )
        job_files.write_progress(
            job.uuid, ImportProgress(ImportStep.WRITING, len(numbers), QUESTIONS)
        )


def stop_after(owner: Any, function: str) -> None:
    """Do the import as far as this function, which is called, and wait to be killed."""
    original = getattr(owner, function)

    def call_and_wait(*args: Any, **kwargs: Any) -> None:
        original(*args, **kwargs)
        (Path(settings.MEDIA_ROOT) / "waiting").touch()
        time.sleep(600)

    setattr(owner, function, call_and_wait)
    run()


def stop_before_deleting() -> None:
    """Do the import as far as its commit, and wait to be killed."""
    import_reading.delete_if_over = lambda job: None
    stop_after(import_reading, "delete_if_over")


def sweep() -> None:
    jobs.sweep(now=clock.now() + jobs.RUN_TIMEOUT * 2)


def main() -> None:
    steps: dict[str, Callable[[], None]] = {
        "send": send,
        "run": run,
        "hasty": hasty,
        "stop-staged": partial(stop_after, StagedWriter, "write_staged"),
        "stop-finished": partial(stop_after, jobs, "_end"),
        "stop-committed": stop_before_deleting,
        "sweep": sweep,
    }
    steps[sys.argv[1]]()
    questions = Question.objects.filter(bank__slug="killed")
    counts = [questions.count(), questions.filter(current__isnull=False).count()]
    print(json.dumps([ImportJob.objects.get().state, *counts]))


if __name__ == "__main__":
    main()
