"""`manage.py doctor`: every finding can be provoked and is named; a healthy site is called so."""

import json
from collections import Counter
from datetime import timedelta
from http.client import HTTPConnection
from io import StringIO
from types import SimpleNamespace

import pytest
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core import checks
from django.core.mail.backends.smtp import EmailBackend
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import OperationalError as BrokerError

from accounts.identity_providers import ClassRole
from config import embedded_scheduler, health
from config.deadline_engine import MAX_SILENCE, DeadlineEngine
from config.doctor import checkpoints, database, disks, probes, processes, surroundings
from config.doctor.examination import examine
from config.doctor.identity_providers import find_identity_providers
from quizzes.attempts.models import Attempt
from quizzes.imports.sandbox import confinement, reading_process
from quizzes.imports.sandbox.reading_process import ReaderLost
from quizzes.lib import clock
from quizzes.notifications.models import (
    Notification,
    NotificationKind,
    NotificationState,
)
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.models import GradingFailure
from tests.attempt_helpers import finish, save_choice, start
from tests.forged_rows import overwrite
from tests.identity_provider import trust

pytestmark = pytest.mark.django_db
GIGABYTES = 10**12
# The throwaway server of the tests; the embedded database of the tests is in memory.
OF_TESTS = {
    "database.fsync",
    "database.idle_in_transaction_session_timeout",
    "database.journal_mode",
    "database.synchronous",
}


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch):
    """A machine with room, whose kernel refuses nothing."""
    free = SimpleNamespace(free=GIGABYTES)
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: free)
    monkeypatch.setattr(reading_process, "inspect", lambda: ([], 1))


def find(examiner=examine) -> dict[str, str]:
    """Return what is found, by code; each finding has its three sentences."""
    findings = list(examiner())
    for finding in findings:
        assert all(text.endswith((".", ")")) for text in (finding.what, finding.why)), finding
        assert finding.remedy
    assert max(Counter(finding.code for finding in findings).values(), default=1) == 1
    return {finding.code: finding.what for finding in findings if finding.code not in OF_TESTS}


def run(*words: str) -> tuple[int, str]:
    """Return the exit status of the command, and what it prints."""
    output = StringIO()
    try:
        call_command("doctor", *words, stdout=output)
    except SystemExit as end:
        return int(end.code or 0), output.getvalue()
    return 0, output.getvalue()


ACCEPT_TESTS = [word for code in sorted(OF_TESTS) for word in ("--accept", code)]


def test_a_healthy_site_is_called_so():
    assert find() == {}
    status, text = run(*ACCEPT_TESTS)
    assert (status, text.splitlines()[-1]) == (0, "This deployment is well.")


def test_a_finding_fails_the_command_unless_it_is_accepted(monkeypatch):
    monkeypatch.setattr(reading_process, "inspect", lambda: (["network"], 1))
    status, text = run(*ACCEPT_TESTS)
    assert status == 1
    assert "[reader.network] This system does not limit" in text
    assert "Why: A reader that a file tricks could reach the network" in text
    assert "What to do: Allow it where" in text
    assert "well" not in text
    status, text = run(*ACCEPT_TESTS, "--accept", "reader.network")
    assert (status, text.splitlines()[-1]) == (0, "This deployment is well.")
    assert "[reader.network] (accepted)" in text


def test_programs_read_the_findings_as_json(monkeypatch):
    monkeypatch.setattr(reading_process, "inspect", lambda: (["network", "memory"], 1))
    status, text = run(*ACCEPT_TESTS, "--accept", "reader.memory", "--json")
    report = json.loads(text)
    assert (status, report["healthy"]) == (1, False)
    reader = [finding for finding in report["findings"] if finding["code"].startswith("reader")]
    assert [(finding["code"], finding["accepted"]) for finding in reader] == [
        ("reader.network", False),
        ("reader.memory", True),
    ]
    assert set(reader[0]) == {"code", "what", "why", "remedy", "accepted"}


def test_every_limit_of_the_reading_process_can_be_named():
    assert set(processes._LIMITS) == {*confinement._LIMITS, "network", "file_access"}


@pytest.mark.parametrize("limit", processes._LIMITS)
def test_a_limit_that_the_system_refuses_is_named(monkeypatch, limit):
    monkeypatch.setattr(reading_process, "inspect", lambda: ([limit], 1))
    assert set(find(processes.find_reader)) == {f"reader.{limit}"}


def test_a_reading_process_that_cannot_start_is_named(monkeypatch):
    def lose():
        raise ReaderLost("reader_failed")

    monkeypatch.setattr(reading_process, "inspect", lose)
    assert set(find()) == {"reader"}


def test_a_database_that_is_away_is_named_once_and_the_rest_is_examined(monkeypatch):
    def fail():
        raise OperationalError("away")

    monkeypatch.setattr(health, "_is_migrated", fail)
    monkeypatch.setattr(reading_process, "inspect", lambda: (["network"], 1))
    assert set(find()) == {"no_database", "reader.network"}


def test_a_database_that_is_not_migrated_is_named():
    MigrationRecorder.Migration.objects.filter(app="results").delete()
    assert find() == {"not_migrated": "Database not migrated."}


def test_a_full_disk_is_named_with_what_lies_there(monkeypatch, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path

    def measure(folder):
        return SimpleNamespace(free=1_000 if folder == tmp_path else GIGABYTES)

    monkeypatch.setattr("shutil.disk_usage", measure)
    assert find() == {
        "disk_full": "Disk full: media.",
        "disk_scarce.media": f"The disk of {tmp_path} (media) has 0 MB left.",
    }


def test_a_disk_that_is_nearly_full_is_named_while_the_site_is_still_ready(monkeypatch, settings):
    free = SimpleNamespace(free=disks.SCARCE - 1)
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: free)
    codes = set(find())
    assert "disk_scarce.data" in codes
    assert "disk_full" not in codes


@pytest.mark.postgres
def test_the_disk_of_a_postgresql_on_this_machine_is_measured(monkeypatch, tmp_path):
    assert find(database.find_server_disk) == {}
    free = SimpleNamespace(free=1_000)
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: free)
    assert set(find(database.find_server_disk)) == {"disk_scarce.database_server"}

    def refuse(_name):
        raise DatabaseError("must be superuser")

    monkeypatch.setattr(database, "_read_setting", refuse)
    assert find(database.find_server_disk) == {}


def test_a_server_that_cannot_write_is_named(monkeypatch):
    monkeypatch.setattr(health, "database_disk", SimpleNamespace(can_write=lambda: False))
    assert find() == {"disk_full": "Disk full: database server."}


def test_a_deadline_engine_that_hangs_is_named(monkeypatch):
    engine = DeadlineEngine()
    engine.looked_at -= MAX_SILENCE
    monkeypatch.setattr(health, "engines", [engine])
    assert set(find()) == {"deadline_engine_stopped"}


def test_attempts_that_nobody_ends_are_named_and_those_in_quarantine(users, a_quiz):
    attempt = start(a_quiz, users.learner, clock.now())
    past = clock.now() - timedelta(seconds=MAX_SILENCE + 1)
    overwrite(Attempt.objects.all(), deadline_at=past, cutoff_at=past)
    assert set(find()) == {"attempts_overdue"}
    GradingFailure.objects.create(
        attempt=attempt,
        learner_id=attempt.learner_id,
        tries=5,
        failed_at=past,
        next_try_at=clock.now() + timedelta(hours=1),
    )
    assert find() == {"attempts_in_quarantine": "Attempts in quarantine: 1."}


@pytest.mark.parametrize(("hours", "covered"), [(24, False), (25, False), (25, True)])
def test_a_day_of_answers_without_its_checkpoint_is_named(users, a_quiz, hours, covered):
    make_checkpoint(now=clock.now() - timedelta(days=3))
    then = clock.now() - timedelta(hours=hours)
    attempt = start(a_quiz, users.learner, then)
    save_choice(attempt, 0, None, then)
    finish(attempt, then)
    if covered:
        make_checkpoint(now=then)
    assert set(find()) == ({"checkpoint_overdue"} if hours == 25 and not covered else set())


@pytest.mark.parametrize(
    ("answered", "covered", "is_gap"),
    [(48, 24, False), (50, 24, True), (34 * 24, 31 * 24 + 1, False), (33 * 24, 30 * 24, True)],
)
def test_a_checkpoint_that_came_too_late_is_named_for_a_month(
    users, a_quiz, answered, covered, is_gap
):
    """Hours ago; what no checkpoint covers yet is another finding, and one day is no gap."""
    now = clock.now()
    for learner, hours in ((users.other_learner, answered + 24), (users.learner, answered)):
        then = now - timedelta(hours=hours)
        attempt = start(a_quiz, learner, then)
        save_choice(attempt, 0, None, then)
        finish(attempt, then)
        if learner == users.other_learner:
            make_checkpoint(now=then)
    make_checkpoint(now=now - timedelta(hours=covered))
    make_checkpoint(now=now)
    findings = list(checkpoints.find_checkpoint_gaps())
    assert [finding.code for finding in findings] == ["checkpoint_gap"] * is_gap
    assert not is_gap or "came too late: 1. The newest is number 2:" in findings[0].what


def test_mails_that_nobody_got_are_named(users, a_quiz):
    Notification.objects.create(
        recipient=users.learner,
        kind=NotificationKind.GRADED,
        cause="event",
        quiz=a_quiz,
        state=NotificationState.QUARANTINED,
        next_try_at=clock.now(),
    )
    assert find() == {"notifications_in_quarantine": "Notifications in quarantine: 1."}


def test_a_scheduler_that_is_dead_is_named(monkeypatch):
    old = SimpleNamespace(is_new=lambda: False)
    monkeypatch.setattr(embedded_scheduler, "supervisors", [old])
    assert set(find()) == {"scheduler_stopped"}


SETTINGS = database._POSTGRESQL if connection.vendor == "postgresql" else database._SQLITE


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_of_the_database_that_endangers_answers_is_named(monkeypatch, name):
    read = database._read_setting
    monkeypatch.setattr(
        database, "_read_setting", lambda setting: "odd" if setting == name else read(setting)
    )
    codes = {finding.code: finding.what for finding in database.find_settings()}
    assert codes[f"database.{name}"].startswith(f"The database has {name} = odd, not ")
    assert set(codes) <= OF_TESTS | {f"database.{name}"}


def test_a_replica_that_waits_less_is_as_safe(monkeypatch):
    monkeypatch.setattr(database, "_read_setting", lambda _name: "local")
    codes = {finding.code for finding in database.find_settings()}
    assert "database.synchronous_commit" not in codes


@pytest.mark.parametrize(("seconds", "words"), [(-3600, "3600 s ahead of"), (60, "60 s behind")])
def test_a_clock_that_is_not_the_databases_is_named(monkeypatch, seconds, words):
    time = clock.read_now() + timedelta(seconds=seconds)
    monkeypatch.setattr(clock, "read_now", lambda: time)
    assert words in find(database.find_clock)["clock"]


@pytest.fixture
def with_broker(monkeypatch):
    """A site that names a broker, which answers, and whose worker does."""
    broker = SimpleNamespace(ensure_connection=lambda **_: None)
    control = SimpleNamespace(
        queues={"light@a": [{"name": "light"}], "heavy@a": [{"name": "heavy"}]}
    )
    inspection = SimpleNamespace(active_queues=lambda: control.queues)
    control.inspect = lambda timeout: inspection
    app = SimpleNamespace(
        conf=SimpleNamespace(task_always_eager=False),
        connection_for_write=lambda: Context(broker),
        control=control,
    )
    monkeypatch.setattr(processes, "app", app)
    return SimpleNamespace(broker=broker, control=control)


class Context(SimpleNamespace):
    def __init__(self, broker):
        self.broker = broker

    def __enter__(self):
        return self.broker

    def __exit__(self, *_):
        return None


def test_a_broker_with_a_worker_is_well(with_broker):
    assert find(processes.find_broker) == {}


def test_a_broker_that_does_not_answer_is_named(with_broker):
    def fail(**_):
        raise BrokerError("redis://:secret@redis")

    with_broker.broker.ensure_connection = fail
    codes = find(processes.find_broker)
    assert set(codes) == {"broker"}
    assert "secret" not in str(codes)


def test_a_queue_that_no_worker_empties_is_named(with_broker):
    with_broker.control.queues = None
    assert set(find(processes.find_broker)) == {"worker"}


@pytest.mark.parametrize("queue", ["light", "heavy"])
def test_of_two_queues_the_one_that_no_worker_empties_is_named(with_broker, queue):
    del with_broker.control.queues[f"{queue}@a"]
    assert set(find(processes.find_broker)) == {f"worker.{queue}"}


@pytest.fixture
def with_mail(settings, monkeypatch):
    settings.EMAIL_BACKEND = surroundings._SMTP
    settings.DEFAULT_FROM_EMAIL = "Quizzes <quiz@example.org>"
    monkeypatch.setattr(EmailBackend, "open", lambda _self: True)
    monkeypatch.setattr(EmailBackend, "close", lambda _self: None)


def test_a_mail_server_that_takes_mails_is_well(with_mail):
    assert find(surroundings.find_mail) == {}


def test_a_mail_server_that_refuses_is_named(with_mail, monkeypatch):
    def refuse(_self):
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailBackend, "open", refuse)
    assert set(find(surroundings.find_mail)) == {"mail_server"}


def test_a_sender_that_nobody_can_answer_is_named(with_mail, settings):
    settings.DEFAULT_FROM_EMAIL = "ochenta@localhost"
    assert set(find(surroundings.find_mail)) == {"mail_sender"}


def test_static_files_that_are_not_collected_are_named(settings, monkeypatch, tmp_path):
    storage = ManifestStaticFilesStorage(location=tmp_path)
    monkeypatch.setattr(surroundings, "staticfiles_storage", storage)
    codes = find(surroundings.find_static_files)
    assert "static files are not collected" in codes["static_files"]


def test_what_the_checks_of_django_warn_of_is_named_with_their_words(monkeypatch, settings):
    settings.EMBEDDED, settings.SECRET_KEY, settings.ALLOWED_HOSTS = False, "short", []
    codes = find(surroundings.find_by_checks)
    assert {"security.W009", "security.W020"} <= set(codes)
    assert "SECRET_KEY" in codes["security.W009"]
    settings.SILENCED_SYSTEM_CHECKS = [*settings.SILENCED_SYSTEM_CHECKS, "security.W009"]
    assert "security.W009" not in find(surroundings.find_by_checks)


def test_a_check_that_only_informs_is_no_finding(monkeypatch):
    messages = [checks.Info("nice", id="a.I001"), checks.Error("bad", id="a.E001")]
    monkeypatch.setattr(checks, "run_checks", lambda **_: messages)
    assert {finding.code for finding in surroundings.find_by_checks()} == {"a.E001"}


def answer(monkeypatch, lines):
    monkeypatch.setattr(probes, "_ask", lambda _url: lines)


def test_what_the_running_site_tells_is_told_once(monkeypatch):
    answer(monkeypatch, ["ok", "scheduler stopped"])
    assert set(find(lambda: examine("http://quiz.example"))) == {"scheduler_stopped"}


def refuse_connection(*_, **_options):
    raise ConnectionRefusedError


@pytest.mark.parametrize("url", ["http://quiz.example", "ftp://quiz.example", "quiz.example"])
def test_a_site_that_does_not_answer_is_named(monkeypatch, url):
    monkeypatch.setattr(HTTPConnection, "request", refuse_connection)
    assert set(find(lambda: examine(url))) == {"site_silent"}


def name_findings() -> list[str]:
    return [finding.code for finding in find_identity_providers()]


def test_a_provider_of_identities_that_answers_as_another_or_not_is_named(provider):
    assert name_findings() == []
    provider.description = {"issuer": "https://other.example.org"}
    assert name_findings() == ["identity_provider"]
    provider.description, provider.is_up = {}, False
    assert name_findings() == ["identity_provider"]


def test_classes_of_a_provider_that_are_not_there_are_named(provider, users, settings):
    classes = {"a": ClassRole("Class A", "learner"), "z": ClassRole("Class Z", "learner")}
    trust(settings, classes=classes)
    (finding,) = find_identity_providers()
    assert finding.code == "identity_provider_classes"
    assert "names 1 classes" in finding.what
    assert "Class Z" in finding.what
