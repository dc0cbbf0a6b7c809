"""`/metrics` for Prometheus: what the processes of this machine counted, and what waits.

It answers whoever sends the token of `OCHENTA_METRICS_TOKEN`; for everybody else, and where there
is none, nothing is there.
"""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.models import Min
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from quizzes.attempts.models import Attempt, State
from quizzes.imports import models as imports
from quizzes.lib import clock, metrics
from quizzes.notifications.event_reading import count_quarantined
from quizzes.notifications.models import Notification, NotificationState
from quizzes.results import deadline_queue
from quizzes.results.failures import list_quarantined
from quizzes.results.models import Checkpoint

METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})

Handler = Callable[[HttpRequest], HttpResponse]


def measure_requests(get_response: Handler) -> Handler:
    """Return the middleware that times requests and their statements; only in use with a token."""

    def middleware(request: HttpRequest) -> HttpResponse:
        statements = _StatementTimer()
        began = time.perf_counter()
        with connection.execute_wrapper(statements):
            response = get_response(request)
        match = request.resolver_match
        metrics.observe_request(
            route=(match.view_name or match.route) if match else "none",
            method=request.method if request.method in METHODS else "other",
            status=response.status_code,
            seconds=time.perf_counter() - began,
            database_seconds=statements.seconds,
        )
        return response

    return middleware


class _StatementTimer:
    """Adds up how long the statements of a request take."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            self.seconds += time.perf_counter() - began


@require_safe
def export_metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics in the text format of Prometheus."""
    sent = request.headers.get("Authorization", "")
    expected = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not constant_time_compare(sent, expected):
        raise Http404
    registry = CollectorRegistry(auto_describe=False)
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    else:
        registry.register(REGISTRY)
    registry.register(QueueCollector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class QueueCollector(Collector):
    """What waits in the database, and for how long; looked up when it is asked for."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield a gauge for each queue: numbers, and ages in seconds."""
        now = clock.now()

        def age(time: Any) -> float:
            return max(0.0, (now - time).total_seconds()) if time else 0.0

        overdue = deadline_queue.find_overdue(now)
        waiting = Attempt.objects.filter(state=State.SUBMITTED)
        mails = Notification.objects.filter(state=NotificationState.WAITING, next_try_at__lte=now)
        files = imports.ImportJob.objects.filter(
            state__in=(imports.State.READING, imports.State.QUEUED)
        )
        last = Checkpoint.objects.order_by("-number").values_list("made_at", flat=True).first()
        gauges = {
            "attempts_overdue": ("Open attempts whose time is over.", overdue.count()),
            "attempts_overdue_seconds": (
                "For how long the time of the oldest of them is over.",
                age(overdue.values_list("cutoff_at", flat=True).first()),
            ),
            "attempts_ungraded": ("Attempts handed in and not graded yet.", waiting.count()),
            "attempts_ungraded_seconds": (
                "For how long the oldest of them waits.",
                age(waiting.aggregate(oldest=Min("submitted_at"))["oldest"]),
            ),
            "attempts_quarantined": (
                "Attempts that could not be ended or graded five times in a row.",
                list_quarantined().count(),
            ),
            "mails_due": ("Notifications that are to be sent now.", mails.count()),
            "mails_due_seconds": (
                "For how long the oldest of them is due.",
                age(mails.aggregate(oldest=Min("next_try_at"))["oldest"]),
            ),
            "mails_quarantined": (
                "Notifications that could not be sent, however often it was tried.",
                count_quarantined(),
            ),
            "imports_waiting": ("Imports to be read or written.", files.count()),
            "imports_waiting_seconds": (
                "For how long nothing has happened to the oldest of them.",
                age(files.aggregate(oldest=Min("updated_at"))["oldest"]),
            ),
            "checkpoint_seconds": ("Age of the newest checkpoint; 0 if there is none.", age(last)),
        }
        for name, (meaning, value) in gauges.items():
            yield GaugeMetricFamily(f"ochenta_{name}", meaning, value=value)
