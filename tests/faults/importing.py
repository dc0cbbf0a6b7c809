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
from quizzes.imports.importer import Choice
from quizzes.imports.models import ImportJob
from quizzes.lib import clock

QUESTIONS = 1000


def send() -> None:
    bank = Bank.objects.create(slug="killed", title={"en": "K"}, source="own", licence="own")
    job = jobs.receive(
        bank=bank, data=moodle(QUESTIONS), filename="a.xml", format_="", language="", by=None
    )
    jobs.choose(job=job, chosen=set(range(QUESTIONS)))


def run() -> None:
    jobs.run(pk=ImportJob.objects.get().pk, now=clock.now())


def hasty() -> None:
    job = ImportJob.objects.get()
    parcel, half = import_reading.parcel_of(job), QUESTIONS // 2
    for numbers in (range(half), range(half, QUESTIONS)):
        importer.bring(
            bank=job.bank, parcel=parcel, by=None, now=clock.now(), choice=Choice(set(numbers))
        )
        job_files.tell(job.uuid, len(numbers))


def sweep() -> None:
    jobs.sweep(now=clock.now() + jobs.GRACE * 2)


def main() -> None:
    {"send": send, "run": run, "hasty": hasty, "sweep": sweep}[sys.argv[1]]()
    questions = Question.objects.filter(bank__slug="killed")
    told = [questions.count(), questions.filter(current__isnull=False).count()]
    print(json.dumps([ImportJob.objects.get().state, *told]))  # noqa: T201 (what it is asked for)


if __name__ == "__main__":
    main()
