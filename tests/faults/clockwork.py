"""The clock of the embedded site, an hour late: `python -m tests.faults.clockwork`.

Everything on the time-table is due at once, and runs in this process, as in the site's.
"""

import os
from datetime import timedelta

import django
from celery.beat import Scheduler

from config import embedded_scheduler
from config.celery import app

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main() -> None:
    django.setup()
    app.loader.import_default_modules()
    clock = Scheduler(app=app)
    for entry in clock.schedule.values():
        entry.last_run_at = app.now() - timedelta(hours=1)
    # A tick runs one task that is due; it asks for a pause when there is none.
    while not embedded_scheduler.tick(clock):
        pass


if __name__ == "__main__":
    main()
