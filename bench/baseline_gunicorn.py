"""How gunicorn serves the baseline: as it serves the site, without the site's own threads."""

from config.gunicorn import (
    accesslog,
    bind,
    control_socket_disable,
    graceful_timeout,
    keepalive,
    max_requests,
    max_requests_jitter,
    raw_env,
    threads,
    timeout,
    worker_class,
    workers,
)

__all__ = [
    "accesslog",
    "bind",
    "control_socket_disable",
    "graceful_timeout",
    "keepalive",
    "max_requests",
    "max_requests_jitter",
    "raw_env",
    "threads",
    "timeout",
    "worker_class",
    "workers",
]
