"""The probes: alive while the process runs, ready while all that serving needs is there."""

import re
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery import Celery
from django.core.cache import cache
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from config import database_disk, embedded_scheduler, health, heartbeat
from config.database_disk import DatabaseDisk
from config.deadline_engine import MAX_SILENCE, DeadlineEngine
from quizzes.attempts.models import Attempt
from quizzes.lib import clock
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.models import GradingFailure
from tests.attempt_helpers import start
from tests.forged_rows import overwrite
from tests.users import logged_in_client


def test_a_process_without_a_database_lives_but_is_not_ready(client, monkeypatch):
    def fail():
        raise OperationalError("gone")

    monkeypatch.setattr(health, "_is_migrated", fail)
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"no database")


@pytest.mark.django_db
def test_a_probe_asks_nothing_about_its_caller(users, counted):
    make_checkpoint(now=clock.now())
    browser = logged_in_client(users.learner)
    with counted() as queries:
        assert browser.get("/healthz").status_code == 200
    assert queries == []
    assert browser.get("/readyz").content == b"ok"  # what is asked once a minute is asked here
    with counted() as queries:
        assert browser.get("/readyz").content == b"ok"
    assert not [statement for statement in queries if "session" in statement]
    assert len(queries) <= 6


@pytest.mark.django_db
def test_a_database_that_is_not_migrated_is_told(client):
    recorded = MigrationRecorder.Migration.objects.filter(app="results", name="0001_initial")
    recorded.delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"database not migrated")


@pytest.mark.django_db
def test_a_database_of_a_later_release_is_no_problem(client):
    MigrationRecorder.Migration.objects.create(app="results", name="0999_later")
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_a_full_disk_is_told_by_its_use_and_not_its_path(client, monkeypatch, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path

    def measure(folder):
        return SimpleNamespace(free=100 if folder == tmp_path else health.LEAST_ROOM)

    monkeypatch.setattr("config.health.shutil.disk_usage", measure)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"disk full: media")


@pytest.mark.django_db
def test_a_deadline_engine_that_hangs_is_told(client, monkeypatch):
    engine = DeadlineEngine()
    monkeypatch.setattr(health, "engines", [engine])
    assert client.get("/readyz").status_code == 200
    engine.looked_at -= MAX_SILENCE
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"deadline engine stopped")


@pytest.mark.django_db
def test_overdue_attempts_are_told_those_in_quarantine_only_counted(client, users, a_quiz):
    attempt = start(a_quiz, users.learner, clock.now())
    past = clock.now() - timedelta(seconds=MAX_SILENCE + 1)
    overwrite(Attempt.objects.all(), deadline_at=past, cutoff_at=past)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"attempts overdue")
    GradingFailure.objects.create(
        attempt=attempt,
        learner_id=attempt.learner_id,
        tries=5,
        failed_at=past,
        next_try_at=clock.now() + timedelta(hours=1),
    )
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ok\nattempts in quarantine: 1")


@pytest.mark.django_db
def test_a_scheduler_that_is_dead_is_told_and_keeps_nobody_from_being_served(client, monkeypatch):
    monkeypatch.setattr(health, "app", Celery("other", set_as_current=False))
    assert client.get("/readyz").content == b"ok\nscheduler stopped"
    monkeypatch.setattr(heartbeat, "close_old_connections", lambda: None)
    heartbeat.record_beat()
    assert client.get("/readyz").content == b"ok"
    late = clock.now() - timedelta(seconds=heartbeat.MAX_AGE)
    cache.set(heartbeat.CACHE_KEY, late, timeout=None)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ok\nscheduler stopped")


@pytest.mark.django_db
def test_an_embedded_scheduler_that_is_dead_is_told(client, monkeypatch):
    old = SimpleNamespace(is_new=lambda: False)
    monkeypatch.setattr(embedded_scheduler, "supervisors", [old])
    assert client.get("/readyz").content == b"ok\nscheduler stopped"


@pytest.fixture
def temporary_folder():
    """The folder of PostgreSQL's temporary files, which it makes anew where it is missing."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        folder = Path(cursor.fetchone()[0]) / "base" / "pgsql_tmp"
    yield folder
    if folder.is_file():
        folder.unlink()


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_postgresql_that_can_write_no_file_is_told(client, monkeypatch, temporary_folder):
    monkeypatch.setattr(health, "database_disk", disk := DatabaseDisk())
    assert client.get("/readyz").content == b"ok"
    if temporary_folder.exists():
        temporary_folder.rmdir()
    temporary_folder.touch()
    assert client.get("/readyz").content == b"ok"  # it is not asked each second
    disk.tried_at -= database_disk.INTERVAL
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"disk full: database server")
    temporary_folder.unlink()
    disk.tried_at -= database_disk.AFTER_FAILURE
    assert client.get("/readyz").content == b"ok"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "can_write"), [("53100", False), ("58030", False), ("57014", True), (None, True)]
)
def test_only_an_error_of_the_disk_says_that_it_is_full(monkeypatch, code, can_write):
    error = DatabaseError("no")
    error.__cause__ = Exception()
    vars(error.__cause__)["pgcode"] = code

    def fail(_statement):
        raise error

    cursor = SimpleNamespace(execute=fail)
    another = SimpleNamespace(vendor="postgresql", cursor=lambda: nullcontext(cursor))
    monkeypatch.setattr(database_disk, "connection", another)
    assert DatabaseDisk().can_write() is can_write


@pytest.mark.postgres
@pytest.mark.django_db
def test_asking_postgresql_to_write_writes_to_its_disk():
    statement = database_disk._WRITE.replace(
        "WITH filler", "EXPLAIN (ANALYZE, BUFFERS) WITH filler"
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        plan = "\n".join(line for (line,) in cursor.fetchall())
    written = re.search(r"temp .*written=(\d+)", plan)
    assert written
    assert int(written[1]) * 8192 > 900_000
