"""Celery's application and the time-table of periodic tasks.

A row in the database is the queue, and these sweeps are the guarantee: a lost message costs a
minute, never work. Without OCHENTA_REDIS_URL every task runs at once in the calling process.
"""

import os

from celery import Celery

from config import env

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

REDIS_URL = env.secret("OCHENTA_REDIS_URL", "")
MINUTE = 60
HOUR = 60 * MINUTE
# Seconds. A task is told to stop at SOFT and ended at HARD; Redis hands a message out again
# after VISIBILITY, which must therefore be longer than any task.
SOFT, HARD, VISIBILITY = 240, 300, 900

app = Celery("ochenta")
app.conf.update(
    broker_url=REDIS_URL or "memory://",
    task_always_eager=not REDIS_URL,
    # The caller's row is already committed: a failing task must not fail the request.
    task_eager_propagates=False,
    # A worker that dies gives its tasks back; all tasks are safe to run twice.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_ignore_result=True,
    task_soft_time_limit=SOFT,
    task_time_limit=HARD,
    broker_transport_options={
        "visibility_timeout": VISIBILITY,
        # A dead Redis must cost a caller a moment, not hang the request.
        "socket_connect_timeout": 1,
        "socket_timeout": 2,
    },
    task_publish_retry=False,
    broker_connection_retry_on_startup=True,
    worker_hijack_root_logger=False,
    timezone="UTC",
    beat_scheduler="config.heartbeat:HeartbeatScheduler",
    beat_schedule={
        "close attempts whose time is over": {
            "task": "quizzes.attempts.tasks.sweep_expired",
            "schedule": MINUTE,
            "options": {"expires": MINUTE},
        },
        "grade what was submitted and not yet graded": {
            "task": "quizzes.results.tasks.sweep_ungraded",
            "schedule": MINUTE,
            "options": {"expires": MINUTE},
        },
        "run imports that wait or were left behind": {
            "task": "quizzes.imports.tasks.sweep_imports",
            "schedule": MINUTE,
            "options": {"expires": MINUTE},
        },
        "delete sessions and counts that are over": {
            "task": "accounts.tasks.sweep_stale",
            "schedule": HOUR,
            "options": {"expires": HOUR},
        },
    },
)
app.autodiscover_tasks()
