"""What this process counts and times for Prometheus: requests, saves and gradings.

Counted only where `OCHENTA_METRICS_TOKEN` is set. The processes of one machine write to files of
one folder (`config.metrics_files`), and whichever of them is asked adds up all (`config.metrics`).
No label names a person, a quiz or an address, so there are few series: routes, methods, codes.
"""

from collections import Counter as Tally
from collections.abc import Iterable

from django.conf import settings
from prometheus_client import Counter, Histogram

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the classes of a duration. The aims are 0.3 s for a page and 5 s for an end."""

REQUESTS = Histogram(
    "ochenta_request_seconds",
    "Time from the first middleware to the answer.",
    ("route", "method", "status"),
    buckets=SECONDS,
)
DATABASE = Histogram(
    "ochenta_request_database_seconds",
    "Time that a request waited for its statements, all together.",
    ("route",),
    buckets=SECONDS,
)
SAVES = Counter(
    "ochenta_saves",
    "Answers that were stored, by what became of them; one sent again is counted again.",
    ("status",),
)
GRADINGS = Histogram(
    "ochenta_grading_seconds",
    "Time from handing in, or from the deadline, until the attempt is graded.",
    ("reason",),
    buckets=SECONDS,
)


def observe_request(
    *, route: str, method: str, status: int, seconds: float, database_seconds: float
) -> None:
    """Time a request; `route` is the name of its address, never the address itself."""
    REQUESTS.labels(route, method, status).observe(seconds)
    DATABASE.labels(route).observe(database_seconds)


def count_saves(statuses: Iterable[str]) -> None:
    """Count saves by their status: accepted, conflict, late or locked."""
    if settings.METRICS_TOKEN:
        for status, number in Tally(statuses).items():
            SAVES.labels(status).inc(number)


def observe_grading(*, reason: str, seconds: float) -> None:
    """Time a grading by the reason of the submission."""
    if settings.METRICS_TOKEN:
        GRADINGS.labels(reason).observe(max(seconds, 0.0))
