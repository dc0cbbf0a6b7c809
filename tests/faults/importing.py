"""Imports to be killed: `python -m tests.faults.importing send | run | hasty | sweep`.

`send` makes a bank and a job whose items are all chosen; `run` does it, `hasty` does it in two
transactions, as nobody should; `sweep` comes when whoever was at it must be dead.
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from bench.importing import moodle
from quizzes.bank.models import Bank, Question
from quizzes.imports import import_reading, importer, job_files, jobs
from quizzes.imports.importer import ImportSelection
from quizzes.imports.models import ImportJob
from quizzes.lib import clock

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
        job_files.write_progress(job.uuid, len(numbers))


def sweep() -> None:
    jobs.sweep(now=clock.now() + jobs.RUN_TIMEOUT * 2)


def main() -> None:
    {"send": send, "run": run, "hasty": hasty, "sweep": sweep}[sys.argv[1]]()
    questions = Question.objects.filter(bank__slug="killed")
    counts = [questions.count(), questions.filter(current__isnull=False).count()]
    print(json.dumps([ImportJob.objects.get().state, *counts]))


if __name__ == "__main__":
    main()
