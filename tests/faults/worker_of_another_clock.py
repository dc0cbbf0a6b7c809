"""A Celery worker on a machine whose clock is wrong: `… worker_of_another_clock HOURS`.

Its processes run the deadline engine, as those of any worker do; there is no broker and no task.
"""

import sys
from datetime import UTC, datetime, timedelta

import time_machine
from celery.__main__ import main

OPTIONS = ("--concurrency=1", "--loglevel=INFO", "--without-gossip", "--without-mingle")

if __name__ == "__main__":
    wrong = datetime.now(UTC) + timedelta(hours=float(sys.argv[1]))
    time_machine.travel(wrong, tick=True).start()
    print(datetime.now(UTC).isoformat(), flush=True)
    sys.argv[1:] = ["--app", "config", "worker", *OPTIONS]
    main()
