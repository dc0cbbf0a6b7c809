"""An import from upload to report: run once, cancelled, killed and found again."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection

from quizzes.bank import services
from quizzes.bank.models import Bank, Question
from quizzes.imports import (
    bank_snapshot,
    import_reading,
    importer,
    job_files,
    jobs,
    selection,
    stored_plan,
    tasks,
)
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.import_steps import NOT_BEGUN, ImportProgress, ImportStep
from quizzes.imports.match_answers import MatchAnswer
from quizzes.imports.models import ImportJob, State
from quizzes.imports.report import ImportReport
from quizzes.imports.sandbox import reading_process
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.file_store import get_file_store
from tests.factories import NOW, create_question
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import (
    create_job,
    create_ready_job,
    read_job,
    refuse_as_ambiguous,
)
from tests.quizzes.instructor.imports.test_match_view import ENGLISH, SPANISH

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


def test_a_file_is_received_chosen_and_run(into):
    job = create_ready_job(into)
    assert (job.state, job.filename, job.format, job.total) == (
        State.READY,
        "a.yaml",
        "ochenta-bank/1",
        1,
    )
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.finished_at) == (State.DONE, NOW)
    assert job.report["action_counts"]["new"] == 1
    assert Question.objects.get().current is not None
    with pytest.raises(FileNotFoundError):
        job_files.read_upload(job.uuid)


@pytest.mark.usefixtures("transactional_db")
def test_what_takes_long_comes_before_the_transaction_of_an_import(into, monkeypatch):
    real, locked = importer.find_proposals, []

    def find_proposals(*arguments):
        locked.append(connection.in_atomic_block)
        return real(*arguments)

    job = create_ready_job(into)
    monkeypatch.setattr(importer, "find_proposals", find_proposals)
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, locked) == (State.DONE, [False])


def confirmed(into: Bank) -> ImportJob:
    """Send a file whose first item a person says is a question of the bank; that goes then."""
    for text, language in ((ENGLISH, "en"), (SPANISH, "es")):
        job = create_ready_job(into, text, "a.gift", language)
        if language == "en":
            jobs.confirm_selection(job=job, selected=None, by=None)
            jobs.run(pk=job.pk, now=NOW)
    for number in (0, 1):
        selection.answer_matches(job=job, answers=[MatchAnswer(number, same=True)], by=None)
        read_job(job)
    assert job.report["action_counts"]["translation"] == 2
    services.retire(question=Question.objects.get(name="volcano"), by=None, now=NOW)
    return job


def test_a_twin_that_is_gone_by_then_is_asked_about_once_more(into):
    job = confirmed(into)
    jobs.confirm_selection(job=job, selected={0, 1, 2}, by=None)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.report["code"]) == (State.READY, "match_gone")
    assert (job.report["action_counts"]["translation"], job.report["action_counts"]["new"]) == (
        1,
        2,
    )
    jobs.confirm_selection(job=job, selected={0, 1, 2}, by=None)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert job.state == State.DONE
    assert Question.objects.count() == 5


def test_a_twin_that_is_gone_does_not_end_an_import_that_is_planned_anew(into):
    job = confirmed(into)
    get_file_store().delete(job_files.build_name(job.uuid, "index"))
    assert import_reading.load_plan(job).count_actions()[ImportAction.TRANSLATION] == 1
    assert import_reading.replan(job=job, now=NOW, by=None)
    import_reading.read_and_plan(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.report["action_counts"]["translation"]) == (State.READY, 1)
    assert (job.match_answers or {})["accepted"] == {"1": "gas"}


def test_nothing_runs_before_it_was_chosen_and_nothing_twice(into):
    job = create_ready_job(into)
    jobs.run(pk=job.pk, now=NOW)
    assert not Question.objects.exists()
    jobs.confirm_selection(job=job, selected={0}, by=None)
    jobs.run(pk=job.pk, now=NOW)
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW + timedelta(hours=1))
    job.refresh_from_db()
    assert job.finished_at == NOW


def test_a_choice_by_a_plan_that_is_out_of_date_is_refused(into):
    job = create_ready_job(into)
    seen = job.report["bank_fingerprint"]
    create_question(into, "danube")
    with pytest.raises(Conflict) as error:
        jobs.confirm_selection(job=job, selected={0}, bank_fingerprint=seen, by=None)
    assert error.value.code == "bank_changed"
    assert (
        jobs.confirm_selection(
            job=job, selected={0}, bank_fingerprint=bank_snapshot.bank_fingerprint(into), by=None
        ).state
        == State.QUEUED
    )


def test_a_cancelled_import_writes_nothing_and_cannot_be_chosen(into):
    job = create_ready_job(into)
    jobs.cancel(job=job, now=NOW, by=None)
    with pytest.raises(Conflict):
        jobs.confirm_selection(job=job, selected=None, by=None)
    assert not Question.objects.exists()


def test_a_running_import_stops_at_its_next_batch_and_leaves_nothing(into):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected=None, by=None)
    job_files.request_cancel(job.uuid)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert job.state == State.READY
    assert not Question.objects.exists()
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW)
    assert Question.objects.count() == 1


def test_an_import_that_is_stopped_before_it_runs_keeps_what_was_ticked(into):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected={0}, by=None)
    report = job.report
    jobs.cancel(job=job, now=NOW, by=None)
    job.refresh_from_db()
    assert (job.state, job.selected_items, job.report) == (State.READY, [0], report)
    jobs.cancel(job=job, now=NOW, by=None)
    job.refresh_from_db()
    assert (job.state, job.report) == (State.CANCELLED, {})
    assert job_files.is_deleted(job.uuid)


def test_planning_again_that_is_stopped_shows_the_plan_from_before_with_what_was_ticked(into):
    job = create_ready_job(into)
    selection.select_items(job=job, on_page={0}, ticked=set(), by=None)
    before = stored_plan.load_plan(job)
    selection.import_as_new(job=job, number=0, as_new=True, by=None)
    jobs.cancel(job=job, now=NOW, by=None)
    job.refresh_from_db()
    assert (job.state, job.as_new) == (State.READY, None)
    assert job.report["action_counts"]["new"] == 1
    assert stored_plan.load_plan(job) == before


def test_planning_stops_when_somebody_cancels_it(into, monkeypatch):
    job = create_ready_job(into)
    selection.import_as_new(job=job, number=0, as_new=True, by=None)
    before = stored_plan.load_plan(job).items_file

    def plan_and_cancel(**options: Any) -> None:
        jobs.cancel(job=job, now=NOW, by=None)
        real(**options)

    real = importer.preview_import
    monkeypatch.setattr(importer, "preview_import", plan_and_cancel)
    read_job(job)
    job.refresh_from_db()
    assert (job.state, stored_plan.load_plan(job).items_file) == (State.READY, before)


def test_cancelling_what_runs_asks_it_to_stop_and_what_is_done_stays(into):
    job = create_ready_job(into)
    ImportJob.objects.update(state=State.RUNNING)
    jobs.cancel(job=job, now=NOW, by=None)
    assert job_files.is_cancelled(job.uuid)
    ImportJob.objects.update(state=State.DONE)
    jobs.cancel(job=job, now=NOW, by=None)
    assert ImportJob.objects.get().state == State.DONE


def test_what_somebody_stopped_is_not_asked_about_once_more(into):
    job = confirmed(into)
    jobs.confirm_selection(job=job, selected={0, 1, 2}, by=None)
    job_files.request_cancel(job.uuid)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.selected_items) == (State.READY, [0, 1, 2])
    assert "code" not in job.report


@pytest.mark.failing_readers
def test_what_fails_says_so_and_leaves_nothing(into, monkeypatch, caplog):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected=None, by=None)

    def broken(**_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(importer, "run_import", broken)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.report) == (State.FAILED, {"code": "import_failed"})
    assert job_files.is_deleted(job.uuid)
    assert "importing failed: import of format ochenta-bank/1: RuntimeError" in caplog.text


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded(), OperationalError("away")], ids=repr)
def test_what_is_no_fault_of_an_import_is_told_and_raised(into, monkeypatch, error):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected=None, by=None)

    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(importer, "run_import", fail)
    with pytest.raises(type(error)):
        jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.report) == (State.FAILED, {"code": type(error).__name__})


def test_what_was_killed_while_it_ran_is_found_and_done(into):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected=None, by=None)
    ImportJob.objects.update(state=State.RUNNING, updated_at=NOW)
    assert jobs.sweep(now=NOW + jobs.RUN_TIMEOUT) == 0  # it may still be at work
    assert jobs.sweep(now=NOW + jobs.RUN_TIMEOUT + timedelta(seconds=1)) == 1
    job.refresh_from_db()
    assert job.state == State.DONE
    assert Question.objects.count() == 1


@pytest.fixture
def ambiguous(into, monkeypatch) -> ImportJob:
    """Return an import whose file may be of two formats."""
    with monkeypatch.context() as patched:
        patched.setattr(reading_process, "detect_and_read", refuse_as_ambiguous)
        return create_job(into)


def test_a_file_of_several_formats_is_stored_and_read_once_its_format_is_chosen(ambiguous):
    assert (ambiguous.state, ambiguous.format) == (State.AMBIGUOUS, "")
    assert job_files.read_upload(ambiguous.uuid) == GOOD.encode()
    import_reading.read_and_plan(pk=ambiguous.pk, now=NOW)
    with pytest.raises(Conflict, match="import_not_read"):
        jobs.confirm_selection(job=ambiguous, selected=None, by=None)
    with pytest.raises(Invalid, match="format_unknown"):
        jobs.choose_format(job=ambiguous, format_="word", by=None)
    jobs.choose_format(job=ambiguous, format_="ochenta-bank/1", by=None)
    jobs.choose_format(job=ambiguous, format_="ochenta-bank/1", by=None)  # again: as it was
    assert read_job(ambiguous).state == State.READY
    with pytest.raises(Conflict, match="format_is_chosen"):
        jobs.choose_format(job=ambiguous, format_="gift", by=None)


def test_a_file_whose_format_nobody_chose_goes_with_its_cancel_or_after_a_while(ambiguous, into):
    ImportJob.objects.update(updated_at=NOW)
    jobs.sweep(now=NOW + jobs.UPLOAD_LIFETIME)
    assert ImportJob.objects.get().state == State.AMBIGUOUS
    assert not job_files.is_deleted(ambiguous.uuid)
    jobs.sweep(now=NOW + jobs.UPLOAD_LIFETIME + timedelta(seconds=1))
    assert ImportJob.objects.get().state == State.CANCELLED
    assert job_files.is_deleted(ambiguous.uuid)
    ImportJob.objects.update(state=State.AMBIGUOUS)
    jobs.cancel(job=ambiguous, now=NOW, by=None)
    assert ImportJob.objects.get().state == State.CANCELLED


def test_what_nobody_chose_goes_after_a_while(into):
    job = create_ready_job(into)
    ImportJob.objects.update(updated_at=NOW)
    jobs.sweep(now=NOW + jobs.UPLOAD_LIFETIME + timedelta(seconds=1))
    job.refresh_from_db()
    assert job.state == State.CANCELLED


def test_the_tasks_call_their_services(into):
    first, second = create_ready_job(into), create_ready_job(into)
    for job in (first, second):
        jobs.confirm_selection(job=job, selected=None, by=None)
    tasks.run_import(first.pk)
    assert tasks.sweep_imports() == 1
    assert set(ImportJob.objects.values_list("state", flat=True)) == {State.DONE}


def test_a_sweep_begins_no_other_import_after_a_minute(into, monkeypatch):
    for job in (create_ready_job(into), create_ready_job(into)):
        jobs.confirm_selection(job=job, selected=None, by=None)
    monkeypatch.setattr(jobs, "MAX_SWEEP_SECONDS", -1.0)
    assert [jobs.sweep(now=NOW) for _ in range(3)] == [1, 1, 0]


def test_a_step_that_takes_too_long_fails_and_says_so(into, monkeypatch):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected=None, by=None)
    monkeypatch.setattr(jobs, "MAX_DURATION", timedelta(seconds=-1))
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.report) == (State.FAILED, {"code": "too_slow"})
    assert not Question.objects.exists()
    assert job_files.is_deleted(job.uuid)


def test_what_is_killed_each_time_fails_in_the_end(into):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected=None, by=None)
    later = NOW + jobs.RUN_TIMEOUT + timedelta(seconds=1)
    ImportJob.objects.update(state=State.RUNNING, updated_at=NOW, tries=jobs.MAX_RUNS)
    assert jobs.sweep(now=later) == 0
    job.refresh_from_db()
    assert (job.state, job.report) == (State.FAILED, {"code": "killed"})
    assert job_files.is_deleted(job.uuid)


def test_what_a_killed_process_left_on_the_disk_is_swept(into):
    ready, left = create_ready_job(into), uuid4()
    ImportJob.objects.update(updated_at=clock.now())  # as its files are: just written
    job_files.save_upload(left, b"words")
    jobs.sweep(now=clock.now())
    assert not job_files.is_deleted(left)  # it may have come just now
    jobs.sweep(now=clock.now() + jobs.RUN_TIMEOUT * 2)
    assert job_files.is_deleted(left)
    assert not job_files.is_deleted(ready.uuid)


def test_a_bank_that_changed_under_the_choice_is_looked_at_once_more(into):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected={0}, by=None)
    run_of(create_ready_job(into, GOOD.replace("Where?", "And now?")))
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.report["code"]) == (State.READY, "bank_changed")
    assert stored_plan.load_plan(job).count_actions() == {ImportAction.CHANGED: 1}
    assert "And now?" in str(Question.objects.get().draft.data)
    jobs.confirm_selection(job=job, selected={0}, by=None)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert job.state == State.DONE


def run_of(job: ImportJob) -> None:
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW)


def test_the_usual_items_are_those_of_the_bank_as_it_is_when_it_runs(into):
    job = create_ready_job(into)
    jobs.confirm_selection(job=job, selected=None, by=None)
    run_of(create_ready_job(into, GOOD.replace("Where?", "And now?")))
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert job.state == State.DONE


HALF = ImportProgress(ImportStep.WRITING, 250, 500)


def test_an_import_begins_at_nothing_however_far_its_reading_was(into, monkeypatch):
    job = create_ready_job(into)
    job_files.write_progress(job.uuid, HALF)
    jobs.confirm_selection(job=job, selected=None, by=None)
    progress: list[ImportProgress] = []

    def bring(**_: object) -> ImportReport:
        progress.append(job_files.read_progress(job.uuid))
        return ImportReport()

    monkeypatch.setattr(importer, "run_import", bring)
    jobs.run(pk=job.pk, now=NOW)
    assert progress == [NOT_BEGUN]


def test_progress_is_told_while_it_runs(into):
    job = create_ready_job(into)
    assert job_files.read_progress(job.uuid).step == ImportStep.PLANNING
    job_files.write_progress(job.uuid, HALF)
    assert job_files.read_progress(job.uuid) == HALF


def test_progress_is_never_half_written(into, monkeypatch):
    job = create_ready_job(into)
    job_files.write_progress(job.uuid, HALF)
    seen: list[ImportProgress] = []
    real = Path.replace

    def look_and_replace(path, target):
        seen.append(job_files.read_progress(job.uuid))
        return real(path, target)

    monkeypatch.setattr(Path, "replace", look_and_replace)
    job_files.write_progress(job.uuid, replace(HALF, done=375))
    assert (seen, job_files.read_progress(job.uuid)) == ([HALF], replace(HALF, done=375))
