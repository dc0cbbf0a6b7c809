"""Is the process alive, and can it serve? For health checks; tells nothing of who or what."""

import functools
import shutil
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse

from config import embedded_scheduler, heartbeat
from config.celery import app
from config.database_disk import database_disk
from config.deadline_engine import MAX_SILENCE, engines
from quizzes.lib import clock
from quizzes.notifications.event_reading import count_quarantined
from quizzes.results import checkpoints, deadline_queue
from quizzes.results.failures import list_quarantined

LEAST_ROOM = 32_000_000
"""Bytes that must be free on each disk that this process writes to."""


def alive(_request: HttpRequest) -> HttpResponse:
    """Answer 200 while the process runs."""
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


def ready(_request: HttpRequest) -> HttpResponse:
    """Answer 200 if all that serving needs is there, else 503 with a line for each problem.

    What keeps nobody from being served is told beside it: attempts and mails in quarantine, a
    scheduler that is dead, and a day of answers without its checkpoint.
    """
    try:
        problems = list(find_problems())
        notices = [] if problems else list(find_notices())
    except DatabaseError:
        problems, notices = ["no database"], []
    return HttpResponse(
        "\n".join([*(problems or ["ok"]), *notices]),
        content_type="text/plain; charset=utf-8",
        status=503 if problems else 200,
    )


def find_problems() -> Iterator[str]:
    """Yield why this process cannot serve. Raises DatabaseError when the database is away."""
    if not _is_migrated():
        yield "database not migrated"
        return  # what else is asked may need the tables that are missing
    for name, folder in list_disks().items():
        if shutil.disk_usage(folder).free < LEAST_ROOM:
            yield f"disk full: {name}"
    if not database_disk.can_write():
        yield "disk full: database server"
    if not all(engine.is_alive() for engine in engines):
        yield "deadline engine stopped"
    # Whoever should have ended them: this looks at what became of it.
    if deadline_queue.find_overdue(clock.now() - timedelta(seconds=MAX_SILENCE)).exists():
        yield "attempts overdue"


def find_notices() -> Iterator[str]:
    """Yield what is wrong and keeps nobody from being served; DatabaseError as above."""
    if not _is_scheduler_alive():
        yield "scheduler stopped"
    if quarantined := list_quarantined().count():
        yield f"attempts in quarantine: {quarantined}"
    if quarantined := count_quarantined():
        yield f"notifications in quarantine: {quarantined}"
    if checkpoints.is_overdue(now=clock.now()):
        yield "checkpoint overdue"


def _is_scheduler_alive() -> bool:
    """Return whether whoever starts the periodic tasks gave a sign of life not long ago."""
    if app.conf.task_always_eager:
        return embedded_scheduler.is_alive()
    return heartbeat.is_recorded(clock.now())


def _is_migrated() -> bool:
    """Return whether every migration of this code is applied; later ones do no harm."""
    recorder = MigrationRecorder(connection)
    return _list_migrations() <= set(recorder.applied_migrations())


@functools.cache
def _list_migrations() -> frozenset[tuple[str, str]]:
    loader = MigrationLoader(None)
    return frozenset(loader.disk_migrations)


def list_disks() -> dict[str, Path]:
    """Return the folders that this process writes to, by a name that tells no path."""
    disks = {
        "data": settings.DATA_DIR,
        "media": settings.MEDIA_ROOT,
        "temporary": Path(tempfile.gettempdir()),
    }
    if connection.vendor == "sqlite" and Path(connection.settings_dict["NAME"]).is_absolute():
        disks["database"] = Path(connection.settings_dict["NAME"]).parent
    return {name: folder for name, folder in disks.items() if folder.is_dir()}
