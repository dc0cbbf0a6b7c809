"""Celery's application and the time-table of periodic tasks.

A row in the database is the queue, and these sweeps are the guarantee: a lost message costs a
minute, never work. Without OCHENTA_REDIS_URL every task runs at once in the calling process.
What is over at a certain time is not here but in the deadline engine (ADR 21). Tasks that may take
minutes have a queue of their own, so that no mail waits behind an import (ADR 74).
"""

import os

from celery import Celery
from celery.schedules import schedule
from kombu import Exchange, Queue

from config import env
from quizzes.lib import clock

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

REDIS_URL = env.secret("OCHENTA_REDIS_URL", "")
MINUTE = 60
HOUR = 60 * MINUTE
# Seconds. A task is told to stop at SOFT and ended at HARD; Redis hands a message out again
# after VISIBILITY, which must therefore be longer than any task.
SOFT, HARD, VISIBILITY = 240, 300, 900

LIGHT, HEAVY = "light", "heavy"
# What may take minutes; all else is done in a moment: mails, seals, what is swept away.
HEAVY_TASKS = (
    "quizzes.imports.tasks.*",
    "quizzes.privacy.tasks.*",
    "quizzes.results.tasks.*",
    "quizzes.statistics.tasks.*",
)


def every(seconds: int) -> schedule:
    """Return a schedule that no setting of the machine's clock can stop."""
    return schedule(seconds, nowfun=clock.machine_now)


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
    # A worker that names no queue empties both.
    task_queues=tuple(Queue(name, Exchange(name), routing_key=name) for name in (LIGHT, HEAVY)),
    task_default_queue=LIGHT,
    task_routes={name: {"queue": HEAVY} for name in HEAVY_TASKS},
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
    # Each process of a worker runs the deadline engine and freezes its objects; the modules ask
    # for it.
    imports=("config.deadline_engine", "config.startup_objects"),
    beat_scheduler="config.heartbeat:HeartbeatScheduler",
    # Messages never expire: a worker whose clock is ahead would throw all of them away.
    beat_schedule={
        "run imports that wait or were left behind": {
            "task": "quizzes.imports.tasks.sweep_imports",
            "schedule": every(MINUTE),
        },
        "seal the audit log": {
            "task": "quizzes.audit.tasks.seal_audit_events",
            "schedule": every(MINUTE),
        },
        "send mails on changes of accounts": {
            "task": "accounts.tasks.send_security_notices",
            "schedule": every(MINUTE),
        },
        "send notifications of what happened to results and quizzes": {
            "task": "quizzes.notifications.tasks.send_notifications",
            "schedule": every(MINUTE),
        },
        "remind learners of quizzes that open or close soon": {
            "task": "quizzes.notifications.tasks.remind_of_windows",
            "schedule": every(10 * MINUTE),
        },
        "remind learners who asked for it of cards to study": {
            "task": "quizzes.notifications.tasks.remind_of_study",
            "schedule": every(10 * MINUTE),
        },
        "make copies and erasures of personal data that are due": {
            "task": "quizzes.privacy.tasks.handle_data_requests",
            "schedule": every(MINUTE),
        },
        "erase guests who did not come back": {
            "task": "quizzes.privacy.tasks.erase_guests",
            "schedule": every(HOUR),
        },
        "remove what is over its retention, where that is set": {
            "task": "quizzes.privacy.tasks.apply_scheduled_retention",
            "schedule": every(HOUR),
        },
        "count attempts that changed, and measure their quizzes": {
            "task": "quizzes.statistics.tasks.update_statistics",
            "schedule": every(MINUTE),
        },
        "apply rules of regrade to the attempts that wait for it": {
            "task": "quizzes.results.tasks.continue_regrades",
            "schedule": every(MINUTE // 4),  # a second more than a run takes at most
        },
        "make the checkpoint of the day": {
            "task": "quizzes.results.tasks.make_daily_checkpoint",
            # Looked for often: a site that runs for less than a day at a time has its own, too.
            "schedule": every(MINUTE),
        },
        "delete answers of the API that are no longer repeated": {
            "task": "quizzes.api.tasks.sweep_idempotent_writes",
            "schedule": every(HOUR),
        },
        "delete sessions, tokens and counts that are over": {
            "task": "accounts.tasks.sweep_stale",
            "schedule": every(HOUR),
        },
    },
)
app.autodiscover_tasks()
