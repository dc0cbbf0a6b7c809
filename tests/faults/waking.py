"""Starts tasks while Redis is frozen: `python -m tests.faults.waking`.

Prints how many seconds that took, and how many tasks Redis has once it goes on.
"""

import json
import os
import signal
import time

import django
import redis

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from config.celery import HEAVY, REDIS_URL, app
from quizzes.imports import tasks


def main() -> None:
    app.set_current()
    broker = redis.Redis.from_url(REDIS_URL)
    process = int(broker.info()["process_id"])
    tasks.start(tasks.run_import, 1)
    os.kill(process, signal.SIGSTOP)
    try:
        began = time.monotonic()
        tasks.start(tasks.run_import, 2)
        seconds = time.monotonic() - began
    finally:
        os.kill(process, signal.SIGCONT)
    tasks.start(tasks.run_import, 3)
    print(json.dumps([seconds, broker.llen(HEAVY)]))


if __name__ == "__main__":
    main()
