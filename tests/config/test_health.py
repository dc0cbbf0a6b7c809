"""The probes: alive while the process runs, ready while all that serving needs is there."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder

from config import health
from config.deadline_engine import SILENCE, DeadlineEngine
from quizzes.attempts.models import Attempt
from quizzes.lib import clock
from quizzes.results.models import GradingFailure
from tests.attempt_helpers import start
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
    browser = logged_in_client(users.learner)
    with counted() as queries:
        assert browser.get("/healthz").status_code == 200
    assert queries == []
    with counted() as queries:
        assert browser.get("/readyz").content == b"ok"
    assert not [statement for statement in queries if "session" in statement]
    assert len(queries) <= 4


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
    engine.looked_at -= SILENCE
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"deadline engine stopped")


@pytest.mark.django_db
def test_overdue_attempts_are_told_those_in_quarantine_only_counted(client, users, a_quiz):
    attempt = start(a_quiz, users.learner, clock.now())
    past = clock.now() - timedelta(seconds=SILENCE + 1)
    Attempt.objects.update(deadline_at=past, cutoff_at=past)
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
