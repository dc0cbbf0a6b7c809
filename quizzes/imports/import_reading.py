"""Reading the file of an import and planning it; afterwards it is ready, or has failed."""

from datetime import datetime, timedelta
from typing import Any, Final

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError
from django.db.models import Q

from accounts.models import User
from quizzes.formats.parsing import progress
from quizzes.formats.parsing.failures import log_failure
from quizzes.imports import bank_snapshot, job_files, stored_plan
from quizzes.imports.access import check_importer
from quizzes.imports.import_steps import NOT_BEGUN, ImportProgress, OnProgress, StepReporter
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import OPEN, ImportJob, State
from quizzes.imports.report import ImportReport
from quizzes.imports.sandbox import reading_process
from quizzes.imports.sandbox.file_codec import FileReading, decode_reading
from quizzes.imports.stored_plan import StoredPlan
from quizzes.lib.dataclass_json import to_json
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.file_store.contract import FileStoreUnavailable

PICKUP_TIMEOUT: Final = timedelta(minutes=1)
"""How long a file waits for a task to read it."""
READ_TIMEOUT: Final = timedelta(minutes=15)
"""How long a file that is being read is left alone: longer than any task may take."""
MAX_READS: Final = 3
"""How often a file is read that kills its readers."""

PLAN_FAILED: Final = "plan_failed"
SITE_ERRORS: Final = (SoftTimeLimitExceeded, OperationalError, InterfaceError)
"""Errors that are no fault of the file: the site, or its database, is in trouble."""


class ReadingCancelled(Exception):
    """Somebody cancelled the import while its file was read or planned."""


def load_file(job: ImportJob) -> FileReading:
    """Return the file of an import that is not over yet, as it was read; read it if it was not."""
    try:
        return decode_reading(job_files.load_reading(job.uuid))
    except (FileNotFoundError, ValueError):
        return _read_upload(job)


def _read_upload(job: ImportJob) -> FileReading:
    """Have the file read in a process of its own, and store what came of it."""
    data = job_files.read_upload(job.uuid)
    file, frames = reading_process.read(
        data,
        job.filename,
        format_=job.format,
        language=job.language,
        on_progress=_progress_callback(job),
    )
    job_files.save_reading(job.uuid, frames)
    return file


def _progress_callback(job: ImportJob) -> OnProgress:
    """Return what writes the progress, and ends the step of an import that somebody cancelled."""
    state = ImportJob.objects.values_list("state", flat=True).get(pk=job.pk)

    def update_progress(now: ImportProgress) -> None:
        if not ImportJob.objects.filter(pk=job.pk, state=state).exists():
            raise ReadingCancelled
        job_files.write_progress(job.uuid, now)

    return update_progress


def plan_as_json(job: ImportJob, file: FileReading) -> dict[str, Any]:
    """Store the plan, and return its report with the fingerprint of the bank that it is for."""
    fingerprint = bank_snapshot.bank_fingerprint(job.bank)
    report = _write_plan(job, file)
    return {**report.to_json(file.parsed_file, committed=False), "bank_fingerprint": fingerprint}


def _write_plan(job: ImportJob, file: FileReading) -> ImportReport:
    """Store the plan; accepted matches that are gone by now are open questions again."""
    while True:
        try:
            with progress.report_to(StepReporter(_progress_callback(job))):
                return stored_plan.write_plan(job, file)
        except Conflict as conflict:
            answers = MatchAnswers.from_json(job.match_answers or {})
            if conflict.detail.get("number") not in answers.accepted:
                raise
            job.match_answers = answers.without(conflict.detail["number"]).to_json()
            ImportJob.objects.filter(pk=job.pk).update(match_answers=job.match_answers)


def load_plan(job: ImportJob) -> StoredPlan:
    """Return the stored plan; where it is lost, plan again."""
    try:
        return stored_plan.load_plan(job)
    except FileNotFoundError:
        _write_plan(job, load_file(job))
        return stored_plan.load_plan(job)


def read_and_plan(*, pk: int, now: datetime) -> None:
    """Read and plan the file of an import, which is then ready.

    One that cannot be read, or killed its readers, has failed; its report has the reason. One
    that is being read is left to its reader.
    """
    # A sweep and a worker that was slow to come may want the same file.
    free = ImportJob.objects.filter(_is_lost(now) | Q(tries=0), state=State.READING)
    job = free.select_related("bank").filter(pk=pk).first()
    if job is None or not free.filter(pk=pk).update(tries=job.tries + 1, updated_at=now):
        return
    try:
        _read(job, now)
    except Invalid as error:
        _fail(job, error, now)
    except ReadingCancelled:
        delete_if_over(job)
    except FileStoreUnavailable:
        # No try: the file is as it was, and a sweep reads it as soon as the store is back.
        ImportJob.objects.filter(pk=job.pk, state=State.READING).update(tries=0, updated_at=now)
        raise
    except SITE_ERRORS as error:
        if _fail(job, error, now):
            raise
    except Exception as error:  # noqa: BLE001  whatever planning throws
        # A file that is gone was cancelled meanwhile: that is no failure.
        if _fail(job, Invalid(PLAN_FAILED), now):
            log_failure(f"import of format {job.format}", error, "planning")


def _is_lost(now: datetime) -> Q:
    return Q(updated_at__lt=now - READ_TIMEOUT)


def _read(job: ImportJob, now: datetime) -> None:
    if job.tries >= MAX_READS:
        raise Invalid("file_kills_readers")
    file = load_file(job)
    if file.parsed_file.errors:
        raise Invalid("file_has_errors", errors=file.parsed_file.errors)
    job_files.write_progress(job.uuid, NOT_BEGUN)  # it has the progress of the reading
    # Only while it is still to be read: somebody may have cancelled it meanwhile.
    reading = ImportJob.objects.filter(pk=job.pk, state=State.READING)
    reading.update(total=len(file.parsed_file.items))
    report = plan_as_json(job, file)
    if not reading.update(state=State.READY, report=report, updated_at=now):
        delete_if_over(job)


def _fail(job: ImportJob, error: Exception, now: datetime) -> bool:
    """End it with the reason, and return whether it was still to be read; its file is deleted."""
    detail = error.detail if isinstance(error, Invalid) else {}
    report = {
        "code": getattr(error, "code", "") or type(error).__name__,
        "errors": to_json(detail.get("errors", ())),
    }
    failed = ImportJob.objects.filter(pk=job.pk, state=State.READING).update(
        state=State.FAILED, report=report, finished_at=now, updated_at=now
    )
    delete_if_over(job)
    return bool(failed)


def delete_if_over(job: ImportJob) -> None:
    """Delete the file of an import, unless another task goes on with it."""
    if not ImportJob.objects.filter(pk=job.pk, state__in=OPEN).exists():
        job_files.delete(job.uuid)


def replan(*, job: ImportJob, by: User | None, now: datetime) -> bool:
    """Have an import that is ready planned again; return whether it was ready.

    Who may not run it: NotFound.
    """
    check_importer(by, job)
    ready = ImportJob.objects.filter(pk=job.pk, state=State.READY)
    replanned = ready.update(state=State.READING, tries=0, updated_at=now)
    if replanned:
        job_files.write_progress(job.uuid, NOT_BEGUN)  # it has the progress of the plan before
    return bool(replanned)


def stop_replanning(*, job: ImportJob, now: datetime) -> bool:
    """Show the plan from before again, with what was ticked; return whether there is one.

    What was answered since that plan is undone: it says what is in it.
    """
    try:
        plan = stored_plan.load_plan(job)
    except FileNotFoundError:
        return False
    reading = ImportJob.objects.filter(pk=job.pk, state=State.READING).exclude(report={})
    return bool(
        reading.update(
            state=State.READY,
            as_new=plan.as_new,
            match_answers=plan.match_answers,
            updated_at=now,
        )
    )


def sweep(*, now: datetime) -> None:
    """Read the files that no task has read, or that killed their readers."""
    missed = Q(updated_at__lt=now - PICKUP_TIMEOUT, tries=0)
    left = ImportJob.objects.filter(_is_lost(now) | missed, state=State.READING)
    for pk in list(left.values_list("pk", flat=True)):
        read_and_plan(pk=pk, now=now)
