"""How gunicorn serves the site: `gunicorn --config python:config.gunicorn config.wsgi`."""

from typing import Any

from django.utils.module_loading import import_string

from config import embedded_scheduler, env
from config.metrics_files import find_metrics_folder, remove_stale_files
from config.startup_objects import freeze_startup_objects
from quizzes.lib import steady_clock
from quizzes.lib.private_folder import restrict_new_files

_sqlite = env.secret("OCHENTA_DATABASE_URL", "sqlite:").startswith("sqlite:")

bind = env.text("OCHENTA_BIND", "127.0.0.1:8000")
worker_class = "config.worker.Worker"
workers = env.integer("OCHENTA_WEB_WORKERS", 2, minimum=1, maximum=64)
# SQLite has one writer: more threads would only queue at its lock.
threads = env.integer("OCHENTA_WEB_THREADS", 1 if _sqlite else 4, minimum=1, maximum=64)
# How long one statement of a page may take; other processes have no such limit.
raw_env = [
    f"OCHENTA_STATEMENT_SECONDS={env.text('OCHENTA_STATEMENT_SECONDS', '15')}",
    # Read once, before the workers begin: one that is started later agrees with the others.
    f"OCHENTA_BOOT_TIME={env.integer('OCHENTA_BOOT_TIME', steady_clock.compute_boot_time())}",
]
timeout = 30
graceful_timeout = 25
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
accesslog = None  # it would write the secrets of links; config.request_log does not
control_socket_disable = True


def on_starting(_server: Any) -> None:
    """Forget what processes counted that ended before."""
    remove_stale_files(find_metrics_folder())


def post_worker_init(_worker: Any) -> None:
    """Start the deadline engine in each worker, and see to it that periodic tasks run.

    What the workers of an embedded site write is for its owner alone.
    """
    if env.text("OCHENTA_MODE", "embedded") == "embedded":
        restrict_new_files()
    # These need Django, which is set up by now; threads begin after it.
    import_string("config.thread_locals.use_plain_thread_locals")()
    import_string("config.deadline_engine.start")()
    embedded_scheduler.start()
    freeze_startup_objects()
