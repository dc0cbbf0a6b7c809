"""Starting the tasks of imports: without a broker or a worker, a thread does them."""

import threading
from queue import Queue
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from kombu.exceptions import OperationalError

from config.celery import VISIBILITY
from quizzes.bank.models import BankLint, Draft, DraftLint
from quizzes.imports import import_reading, job_files, jobs, tasks
from quizzes.imports.models import ImportJob, State
from quizzes.imports.sandbox import reading_process
from tests.factories import create_bank
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import create_ready_job
from tests.users import logged_in_client

START = tasks.start
"""What tests elsewhere do without: they run a task at once."""


def with_workers(monkeypatch, *, yes: bool) -> None:
    app = SimpleNamespace(conf=SimpleNamespace(task_always_eager=not yes))
    monkeypatch.setattr(tasks, "current_app", app)


def test_with_workers_one_of_them_does_a_task(monkeypatch):
    sent: list[int] = []
    with_workers(monkeypatch, yes=True)
    monkeypatch.setattr(tasks.run_import, "delay", sent.append)
    START(tasks.run_import, 7)
    assert sent == [7]


def raise_error(pk: int) -> None:
    raise OperationalError(pk)


@pytest.mark.parametrize("workers", [False, True], ids=["no workers", "no broker"])
def test_without_workers_or_broker_a_thread_does_it(monkeypatch, workers):
    done: Queue[int] = Queue()
    with_workers(monkeypatch, yes=workers)
    monkeypatch.setattr(tasks.run_import, "delay", raise_error)
    monkeypatch.setattr(tasks.run_import, "run", done.put)
    monkeypatch.setattr(tasks, "is_large", lambda _pk: False)
    START(tasks.run_import, 7)
    assert done.get(timeout=20) == 7


@pytest.mark.django_db
def test_what_was_imported_is_looked_at_before_anybody_asks(users):
    job = create_ready_job(create_bank(users))
    jobs.confirm_selection(job=job, selected=None, by=None)
    tasks.run_import.run(job.pk)
    drafts = Draft.objects.filter(question__bank=job.bank)
    assert drafts.count() == DraftLint.objects.count() > 0
    BankLint.objects.get(bank=job.bank)


@pytest.mark.django_db
def test_an_import_that_is_not_done_has_nothing_to_look_at(users):
    job = create_ready_job(create_bank(users))
    tasks.run_import.run(job.pk)
    assert not BankLint.objects.exists()


@pytest.mark.parametrize("code", [0, 1])
def test_without_workers_a_process_does_what_is_large_and_its_failure_is_logged(
    monkeypatch, caplog, code
):
    commands: Queue[str] = Queue()

    def run(command, **options):
        commands.put(f"{command[-1]}: {options['input']}")
        return SimpleNamespace(returncode=code)

    with_workers(monkeypatch, yes=False)
    monkeypatch.setattr(tasks, "is_large", lambda _pk: True)
    monkeypatch.setattr("quizzes.imports.tasks.subprocess.run", run)
    START(tasks.read_import, 7)
    assert commands.get(timeout=20) == "quizzes.imports.task_process: read_import 7"
    join_threads()
    assert ("import 7 ended with 1" in caplog.text) is bool(code)


@pytest.mark.django_db
def test_a_large_import_is_one_whose_file_is(users, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    job = ImportJob.objects.create(bank=create_bank(users), format="gift", filename="a")
    assert not tasks.is_large(job.pk)
    assert not tasks.is_large(job.pk + 1)
    job_files.save_upload(job.uuid, b"x" * settings.IMPORT_PROCESS_BYTES)
    assert tasks.is_large(job.pk)


def test_what_fails_in_a_thread_is_logged(monkeypatch, caplog):
    def broken(pk: int) -> None:
        raise RuntimeError(pk)

    monkeypatch.setattr(tasks.run_import, "run", broken)
    tasks.run_in_thread(tasks.run_import, 8)
    assert "import 8 failed" in caplog.text


def test_an_import_stops_itself_before_it_is_told_to_and_before_it_is_begun_again():
    longest, grace = jobs.MAX_DURATION.total_seconds(), jobs.RUN_TIMEOUT.total_seconds()
    assert longest < tasks.SOFT < tasks.HARD < grace <= import_reading.READ_TIMEOUT.total_seconds()
    assert tasks.HARD < VISIBILITY


@pytest.fixture
def upload(transactional_db, users, settings, tmp_path, monkeypatch):
    """Upload a file on the page, with a thread that reads it; return what follows."""
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr(tasks, "start", START)
    client, bank = logged_in_client(users.instructor), create_bank(users)

    def post() -> str:
        file = SimpleUploadedFile("rivers.yaml", GOOD.encode())
        address = "/admin/imports/importjob/add/"
        values = {"bank": bank.pk, "file": file, "format": "ochenta-bank/1"}
        response = client.post(address, values, follow=True)
        return str(response.content.decode())

    yield post
    join_threads()


def join_threads() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("import "):
            thread.join(20)


@pytest.mark.postgres
@pytest.mark.parametrize("workers", [False, True], ids=["no workers", "no broker"])
def test_a_small_file_shows_its_preview_at_once(upload, monkeypatch, workers):
    monkeypatch.setattr(tasks.read_import, "delay", raise_error)
    with_workers(monkeypatch, yes=workers)
    monkeypatch.setattr(tasks, "WAIT", 20)
    assert "1 item in the file:" in upload()


@pytest.mark.postgres
def test_a_slow_file_shows_its_progress_and_then_its_preview(upload, monkeypatch, client):
    real, go_on = reading_process.read, threading.Event()

    def wait_and_parse(*arguments, **options):
        assert go_on.wait(20)
        return real(*arguments, **options)

    monkeypatch.setattr(reading_process, "read", wait_and_parse)
    monkeypatch.setattr(tasks, "WAIT", 0.1)
    assert "The file is being read" in upload()
    job = ImportJob.objects.get()
    assert job.state == State.READING
    go_on.set()
    join_threads()
    job.refresh_from_db()
    assert job.state == State.READY
