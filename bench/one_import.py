"""One import through its job, in this process: `python -m bench.one_import QUESTIONS`.

Prints seconds by the names `look`, `page`, `run`, `all`, `cpu`, and `memory` in MB, as JSON.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.

from bench.importing import moodle
from quizzes.bank.models import Bank
from quizzes.imports import import_reading, jobs, selection
from quizzes.imports.models import ImportJob
from quizzes.instructor.imports import preview_page
from quizzes.lib import clock


def timed(act: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def main(count: int) -> None:
    """Upload a file, read it, render a page of it, choose all and import it."""
    bank = Bank.objects.create(slug="bench", title={"en": "Bench"}, source="own", licence="own")
    begun = time.perf_counter()
    job = jobs.create_import(
        bank=bank, data=moodle(count), filename="a.xml", format_="", language="", by=None
    )
    look = timed(lambda: import_reading.read_and_plan(pk=job.pk, now=clock.now()))
    job = ImportJob.objects.get(pk=job.pk)
    plan = import_reading.load_plan(job)
    page = timed(
        lambda: preview_page.build_preview(
            job, import_reading.load_plan(job), preview_page.PreviewView(page=9)
        )
    )
    jobs.confirm_selection(job=job, selected=selection.list_selected(job, plan), by=None)
    run = timed(lambda: jobs.run(pk=job.pk, now=clock.now()))
    measurements = {
        "look": look,
        "page": page,
        "run": run,
        "all": time.perf_counter() - begun,
        "cpu": time.process_time(),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    job.refresh_from_db()
    if job.state != "done" or job.report["action_counts"]["new"] != count:
        sys.exit(f"the import ended as {job.state}: {str(job.report)[:500]}")
    sys.stdout.write(json.dumps(measurements) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
