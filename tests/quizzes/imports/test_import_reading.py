"""A file on its way to a plan: taken, read once, found again when its reader was killed."""

from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError

from quizzes.bank import services
from quizzes.bank.models import Question, Tag
from quizzes.imports import bank_snapshot, import_reading, importer, job_files, jobs, tasks
from quizzes.imports.import_steps import ImportProgress, ImportStep
from quizzes.imports.models import ImportJob, State
from quizzes.imports.sandbox import reading_process
from quizzes.imports.selectors import load_progress
from quizzes.lib.errors import Conflict, Invalid
from quizzes.presentation.messages.imports import IMPORT_ERRORS, READING_STEPS
from tests.factories import NOW, create_bank, create_question
from tests.quizzes.api.programs import ROOT, Program, token
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import (
    create_job,
    create_ready_job,
    create_unread_job,
    read_job,
)
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]
BROKEN = GOOD.replace("source: own\n", "")


def test_a_file_is_taken_unread_and_then_waits_with_its_plan(into):
    job = create_job(into)
    assert (job.state, job.filename, job.total) == (State.READING, "a.yaml", 0)
    read_job(job)
    assert (job.state, job.total, job.report["action_counts"]["new"]) == (State.READY, 1, 1)
    assert not job.report["committed"]
    assert not Question.objects.exists()
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW)
    assert Question.objects.count() == 1


def test_what_is_read_is_not_read_again(into, monkeypatch):
    job = read_job(create_job(into))
    monkeypatch.setattr(reading_process, "read", None)
    assert read_job(job).state == State.READY


def test_a_file_is_read_while_its_format_is_found_and_not_again(into, monkeypatch):
    job = create_job(into)
    monkeypatch.setattr(reading_process, "read", None)
    assert read_job(job).state == State.READY


def test_a_file_that_takes_long_is_left_to_a_task(into, monkeypatch):
    monkeypatch.setattr(reading_process, "PATIENCE", 0)
    cards = "\n\n".join(f"::q{n}:: Which {n}? {{=a ~b}}" for n in range(600))
    job = create_job(into, cards, "a.gift")
    assert (job.format, job.state) == ("gift", State.READING)
    with pytest.raises(FileNotFoundError):
        job_files.load_reading(job.uuid)
    assert read_job(job).total == 600


@pytest.mark.parametrize("data", [b"plain words", b""])
def test_what_is_no_file_of_ours_is_not_even_create_job(into, data, tmp_path):
    with pytest.raises(Invalid) as error:
        jobs.create_import(bank=into, data=data, filename="a", format_="", language="", by=None)
    assert error.value.code == "format_unknown"
    assert not ImportJob.objects.exists()
    assert not list(tmp_path.rglob("*.file"))


def test_a_file_with_troubles_fails_and_says_where(into):
    job = read_job(create_job(into, BROKEN))
    assert (job.state, job.finished_at, job.report["code"]) == (
        State.FAILED,
        NOW,
        "file_has_errors",
    )
    assert [(error["line"], "source" in error["message"]) for error in job.report["errors"]] == [
        (1, True)
    ]
    with pytest.raises(FileNotFoundError):
        job_files.read_upload(job.uuid)


WORDS = "the words of somebody's file"


def fail_with(monkeypatch, error: BaseException) -> None:
    """Let whatever plans an import raise this."""

    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(importer, "preview_import", fail)


@pytest.mark.failing_readers
def test_a_fault_in_planning_fails_the_import_and_is_logged(into, monkeypatch, caplog):
    job = create_job(into)
    fail_with(monkeypatch, KeyError(WORDS))
    read_job(job)
    assert (job.state, job.report) == (State.FAILED, {"code": "plan_failed", "errors": []})
    assert job_files.is_deleted(job.uuid)
    assert "planning failed: import of format ochenta-bank/1: KeyError" in caplog.text
    assert WORDS not in caplog.text


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded(), OperationalError("away")], ids=repr)
def test_what_is_no_fault_of_a_file_is_told_and_raised(into, monkeypatch, error):
    job = create_job(into)
    fail_with(monkeypatch, error)
    with pytest.raises(type(error)):
        import_reading.read_and_plan(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.report["code"]) == (State.FAILED, type(error).__name__)


@pytest.mark.failing_readers
def test_a_fault_in_planning_is_said_on_the_page_and_over_the_api(
    users, into, monkeypatch, caplog, tmp_path
):
    fail_with(monkeypatch, KeyError(WORDS))
    body = {"bank": into.pk, "file": SimpleUploadedFile("a.yaml", GOOD.encode()), "format": ""}
    page = logged_in_client(users.instructor).post("/admin/imports/importjob/add/", body)
    report = logged_in_client(users.instructor).get(page["Location"])
    assert report.context["reason"] == str(IMPORT_ERRORS["plan_failed"])
    assert not list(tmp_path.rglob("*.file"))
    client = Program(token(users.instructor)).client
    body = {"bank": into.uuid, "file": SimpleUploadedFile("a.yaml", GOOD.encode())}
    answer = client.post(f"{ROOT}imports", body)
    assert answer.status_code == 202
    assert (answer.json()["state"], answer.json()["code"]) == ("failed", "plan_failed")
    assert caplog.text.count("planning failed") == 2


def test_a_file_whose_reader_was_killed_is_read_by_the_sweep(into):
    job = create_job(into)
    ImportJob.objects.update(updated_at=NOW, tries=1)
    jobs.sweep(now=NOW + import_reading.READ_TIMEOUT)  # somebody may still be at it
    job.refresh_from_db()
    assert job.state == State.READING
    jobs.sweep(now=NOW + import_reading.READ_TIMEOUT + timedelta(seconds=1))
    job.refresh_from_db()
    assert job.state == State.READY


def test_a_file_that_nobody_came_to_read_is_read_by_the_next_sweep(into):
    job = create_job(into)
    ImportJob.objects.update(updated_at=NOW)
    jobs.sweep(now=NOW + import_reading.PICKUP_TIMEOUT)
    job.refresh_from_db()
    assert job.state == State.READING
    jobs.sweep(now=NOW + import_reading.PICKUP_TIMEOUT + timedelta(seconds=1))
    job.refresh_from_db()
    assert job.state == State.READY


def test_a_file_that_kills_its_readers_is_let_go(into, monkeypatch):
    class Killed(BaseException):
        pass

    def kill(*_: object, **__: object) -> None:
        raise Killed

    monkeypatch.setattr(reading_process, "read", kill)
    job = create_unread_job(into)
    long = import_reading.READ_TIMEOUT + timedelta(seconds=1)
    for number in range(import_reading.MAX_READS):
        with pytest.raises(Killed):
            import_reading.read_and_plan(pk=job.pk, now=NOW + number * long)
    import_reading.read_and_plan(pk=job.pk, now=NOW + import_reading.MAX_READS * long)
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert job.report["code"] == "file_kills_readers"


def test_a_file_that_somebody_reads_is_left_to_them(into, monkeypatch):
    job = create_unread_job(into)
    real, calls = reading_process.read, []

    def slow(*of_it, **more):
        calls.append(1)
        import_reading.read_and_plan(pk=job.pk, now=NOW + import_reading.READ_TIMEOUT)
        return real(*of_it, **more)

    monkeypatch.setattr(reading_process, "read", slow)
    assert read_job(job).state == State.READY
    assert len(calls) == 1
    assert job_files.read_upload(job.uuid) == GOOD.encode()


@pytest.mark.parametrize("end", [None, RuntimeError])
def test_a_reader_that_was_given_up_takes_no_file_from_the_one_after(into, monkeypatch, end):
    job = create_unread_job(into)
    real, late = reading_process.read, NOW + import_reading.READ_TIMEOUT + timedelta(seconds=1)

    def overtaken(*of_it, **more):
        monkeypatch.setattr(reading_process, "read", real)
        import_reading.read_and_plan(pk=job.pk, now=late)
        if end:
            raise end
        return real(*of_it, **more)

    monkeypatch.setattr(reading_process, "read", overtaken)
    assert read_job(job).state == State.READY
    assert job_files.read_upload(job.uuid) == GOOD.encode()
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=late)
    assert Question.objects.count() == 1


def test_an_import_is_cancelled_while_it_is_read(into, monkeypatch):
    job = create_unread_job(into)
    real = reading_process.read

    def slow(*of_it, **more):
        jobs.cancel(job=job, now=NOW, by=None)
        return real(*of_it, **more)

    with monkeypatch.context() as patched:
        patched.setattr(reading_process, "read", slow)
        assert read_job(job).state == State.CANCELLED
    assert read_job(job).report == {}


def test_a_file_that_went_with_its_import_troubles_nobody(into, monkeypatch):
    job = create_unread_job(into)

    def gone(*_: object, **__: object) -> None:
        jobs.cancel(job=job, now=NOW, by=None)
        raise FileNotFoundError

    monkeypatch.setattr(reading_process, "read", gone)
    assert read_job(job).state == State.CANCELLED


def test_nothing_is_chosen_of_a_file_that_is_not_read(into):
    job = create_job(into)
    with pytest.raises(Conflict) as error:
        jobs.confirm_selection(job=job, selected=None, by=None)
    assert error.value.code == "import_not_read"


def test_a_plan_is_made_anew_while_it_waits_for_a_choice(into):
    job = read_job(create_job(into))
    before = job.report["bank_fingerprint"]
    create_question(into, "danube")
    job_files.write_progress(job.uuid, ImportProgress(ImportStep.PLANNING, 1, 1))
    assert import_reading.replan(job=job, now=NOW, by=None)
    job.refresh_from_db()
    assert load_progress(job) == ImportProgress(ImportStep.PLANNING, 0, 1)
    assert read_job(job).report["action_counts"]["conflict"] == 1
    assert job.report["bank_fingerprint"] != before
    jobs.cancel(job=job, now=NOW, by=None)
    assert not import_reading.replan(job=job, now=NOW, by=None)


def test_the_state_of_a_bank_tells_every_change_that_a_plan_depends_on(into, users):
    seen = [bank_snapshot.bank_fingerprint(into)]
    question = create_question(into, "one")
    seen.append(bank_snapshot.bank_fingerprint(into))
    services.set_tags(question=question, names=["rivers"], by=None)
    seen.append(bank_snapshot.bank_fingerprint(into))
    Tag.objects.create(name="lakes")
    create_question(create_bank(users, "another"), "two")
    assert bank_snapshot.bank_fingerprint(into) == seen[-1]
    question.draft.revision += 1
    question.draft.save()
    seen.append(bank_snapshot.bank_fingerprint(into))
    assert len(set(seen)) == len(seen)


def test_the_task_reads(into):
    job = create_job(into)
    tasks.read_import(job.pk)
    job.refresh_from_db()
    assert job.state == State.READY


def many(count: int, language: str = "en") -> str:
    """Write questions of GIFT that differ; in another language they have the same numbers."""
    sentence = {"en": "Which river is {n} km long?", "es": "¿Qué río mide {n} km de largo?"}
    return "\n\n".join(
        f"::{language}{n}::{sentence[language].format(n=n)} {{=Ebro {n} ~Tajo {n}}}"
        for n in range(count)
    )


def bank_of_sixty(into):
    """Bring sixty questions into a bank, with which those of a file are compared."""
    job = create_ready_job(into, many(60), "a.gift", "en")
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW)


AFTER_READING = [
    (ImportStep.CHECKING, 60),
    (ImportStep.COMPARING, 60),
    (ImportStep.LANGUAGES, 60),
    (ImportStep.MATCHING, 120),
    (ImportStep.PLANNING, 60),
]
"""What is done between the reading of sixty items and their plan, for a bank of sixty."""


def test_each_step_up_to_the_plan_is_counted(into, monkeypatch):
    bank_of_sixty(into)
    job = jobs.create_import(
        bank=into,
        data=many(60, "es").encode(),
        filename="b.gift",
        format_="gift",
        language="",
        by=None,
    )
    seen: list[ImportProgress] = []
    real = job_files.write_progress

    def write(uuid, progress):
        real(uuid, progress)
        seen.append(load_progress(ImportJob.objects.get(uuid=uuid)))

    monkeypatch.setattr(job_files, "write_progress", write)
    assert read_job(job).state == State.READY
    steps = [each for each in seen if each.step != ImportStep.READING and each.total]
    assert list(dict.fromkeys((each.step, each.total) for each in steps)) == AFTER_READING
    for step, total in AFTER_READING:
        counts = [each.done for each in steps if each.step == step]
        assert counts == sorted(counts)
        assert {0, 25, 50} <= set(counts)
        assert counts[-1] <= total


@pytest.mark.parametrize("step", [ImportStep.READING, *(step for step, _ in AFTER_READING)])
def test_a_file_may_be_cancelled_in_each_step(into, monkeypatch, step):
    bank_of_sixty(into)
    job = jobs.create_import(
        bank=into,
        data=many(60, "es").encode(),
        filename="b.gift",
        format_="gift",
        language="",
        by=None,
    )
    real, later = job_files.write_progress, list[ImportStep]()

    def write(uuid, progress):
        real(uuid, progress)
        if job_files.is_deleted(uuid):
            later.append(progress.step)
        elif progress.step == step:
            jobs.cancel(job=ImportJob.objects.get(uuid=uuid), by=None, now=NOW)

    monkeypatch.setattr(job_files, "write_progress", write)
    assert read_job(job).state == State.CANCELLED
    assert later == []
    assert job_files.is_deleted(job.uuid)


def test_the_page_and_programs_are_told_the_step(users, into, monkeypatch):
    job = create_unread_job(into)
    job_files.write_progress(job.uuid, ImportProgress(ImportStep.COMPARING, 25, 60))
    page = logged_in_client(users.instructor).get(f"/admin/imports/importjob/{job.pk}/change/")
    text = page.content.decode()
    assert str(READING_STEPS["comparing"]) in text
    assert "25 of 60 items" in text
    program = Program(token(users.instructor)).client
    answer = program.get(f"{ROOT}imports/{job.uuid}").json()
    assert answer["progress"] == {"step": "comparing", "done": 25, "total": 60}
