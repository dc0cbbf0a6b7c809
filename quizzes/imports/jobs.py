"""An import from upload to report: created, confirmed, run, cancelled, found again when killed."""

import time
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank import checks
from quizzes.bank.access import check_editor
from quizzes.bank.lint import Finding
from quizzes.bank.models import Bank
from quizzes.bank.uploads import build_label
from quizzes.formats import FORMATS
from quizzes.formats.parsing import progress
from quizzes.formats.parsing.failures import log_failure
from quizzes.imports import bank_snapshot, import_reading, importer, job_files
from quizzes.imports.access import check_importer
from quizzes.imports.import_steps import (
    NOT_BEGUN,
    ImportProgress,
    ImportStep,
    OnProgress,
    StepReporter,
)
from quizzes.imports.importer import ImportSelection
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import OPEN, ImportJob, State
from quizzes.imports.report import ImportReport, ReportItem
from quizzes.imports.sandbox import reading_process
from quizzes.imports.sandbox.file_codec import FileReading
from quizzes.lib import steady_clock
from quizzes.lib.dataclass_json import from_json
from quizzes.lib.errors import Conflict, Invalid, Refused, ServiceError
from quizzes.lib.file_store.contract import FileStoreUnavailable

MAX_DURATION: Final = timedelta(minutes=12)
"""How long an import may take; then it fails, and says so."""
RUN_TIMEOUT: Final = timedelta(minutes=15)
"""How long a running import is left alone: longer than any task may take."""
MAX_SWEEP_SECONDS: Final = 60.0
MAX_RUNS: Final = 2
"""How often an import is begun; what is killed each time would be killed for ever."""
UPLOAD_LIFETIME: Final = timedelta(days=7)
"""How long a file waits for a selection, or for its format."""


class ImportCancelled(Exception):
    """Somebody cancelled the import while it ran."""


def create_import(  # noqa: PLR0913  each is a thing that a person says
    *, bank: Bank, data: bytes, filename: str, format_: str, language: str, by: User | None
) -> ImportJob:
    """Save a file for a bank, to be read by a task. Of no known format, or too large: Invalid.

    No editor of the bank: NotFound.

    One that may be of several formats is ambiguous: `choose_format` goes on.
    """
    check_editor(by, bank)
    job = ImportJob(bank=bank, by=by, filename=build_label(filename), language=language)
    reading = b""
    try:
        job.format, reading = reading_process.detect_and_read(
            data, filename, format_=format_, language=language
        )
    except Invalid as error:
        if error.code != "format_ambiguous":
            raise
        job.state, job.format_evidence = State.AMBIGUOUS, list(error.detail["evidence"])
    job_files.save_upload(job.uuid, data)
    if reading:
        job_files.save_reading(job.uuid, reading)
    job.save()
    return job


@transaction.atomic
def choose_format(*, job: ImportJob, format_: str, by: User | None) -> ImportJob:
    """Have an ambiguous file read as this format, which must be known: else Invalid.

    Chosen before: as it was. Another than before, or one of a file that is not ambiguous: Conflict.
    Who may not run it: NotFound.
    """
    check_importer(by, job)
    job = ImportJob.objects.select_for_update().get(pk=job.pk)
    if format_ not in FORMATS:
        raise Invalid("format_unknown", where="format", formats=tuple(FORMATS))
    if job.state == State.AMBIGUOUS:
        job.state, job.format = State.READING, format_
        job.save()
    elif job.format != format_:
        raise Conflict("format_is_chosen", format=job.format)
    return job


@transaction.atomic
def confirm_selection(
    *,
    job: ImportJob,
    selected: Collection[int] | None,
    by: User | None,
    bank_fingerprint: str = "",
) -> ImportJob:
    """Store which items are to be imported (None: the default ones); the import is then queued.

    `bank_fingerprint` is the state of the bank that was selected from, if it must still be so:
    else Conflict. Confirmed before: as it was. Cancelled, or not read yet: Conflict. Who may not
    run it: NotFound.
    """
    check_importer(by, job)
    job = ImportJob.objects.select_for_update().get(pk=job.pk)
    if job.state in {State.CANCELLED, State.FAILED}:
        raise Conflict("import_is_over", state=job.state)
    if job.state in {State.AMBIGUOUS, State.READING}:
        raise Conflict("import_not_read")
    if job.state == State.READY:
        if bank_fingerprint not in {"", bank_snapshot.bank_fingerprint(job.bank)}:
            raise Conflict("bank_changed")
        job.state, job.tries = State.QUEUED, 0
        job.selected_items = None if selected is None else sorted(selected)
        job.save()
        file = {"file": job.filename, "format": job.format}
        record(AuditCode.IMPORT_CONFIRMED, about=job.bank, by=by, after=file)
    return job


def run(*, pk: int, now: datetime) -> None:
    """Import what was selected, if it is still queued: all of it with its report, or nothing.

    Whatever kills it: nothing is half written, and the sweep finds the row.
    """
    queued = ImportJob.objects.filter(pk=pk, state=State.QUEUED)
    if not queued.update(state=State.RUNNING, tries=F("tries") + 1, updated_at=now):
        return
    job = ImportJob.objects.select_related("bank", "by").get(pk=pk)
    job_files.write_progress(job.uuid, NOT_BEGUN)  # it has the progress of the reading
    try:
        _run_selected(job, now)
    except (ImportCancelled, import_reading.ReadingCancelled):
        _put_before_person(job, now)
    except FileStoreUnavailable:
        # Nothing is written, and it is no try: a sweep runs it as soon as the store is back.
        running = ImportJob.objects.filter(pk=pk, state=State.RUNNING)
        running.update(state=State.QUEUED, tries=F("tries") - 1, updated_at=now)
        raise
    except ServiceError as error:
        _end(job, State.FAILED, now, {"code": error.code})
    except import_reading.SITE_ERRORS as error:
        _end(job, State.FAILED, now, {"code": type(error).__name__})
        raise
    except Exception as error:  # noqa: BLE001  whatever an import throws
        _end(job, State.FAILED, now, {"code": "import_failed"})
        log_failure(f"import of format {job.format}", error, "importing")
    finally:
        import_reading.delete_if_over(job)


def refresh_findings(*, pk: int) -> None:
    """Store what is worth a look in the bank of an import that is done, for the first who asks."""
    bank = Bank.objects.filter(imports__pk=pk, imports__state=State.DONE).first()
    if bank is not None:
        checks.refresh_findings(bank)


def _run_selected(job: ImportJob, now: datetime) -> None:
    file = import_reading.load_file(job)
    parsed_file = file.parsed_file
    findings = _planned_findings(job)

    report_json: dict[str, object] = {}

    def build_report(report: ImportReport) -> None:
        report.add_findings(findings)
        report_json.update(report.to_json(parsed_file, committed=True))

    def finish() -> None:
        """End the job in the transaction of the import, unless another run of it came first."""
        if not _end(job, State.DONE, now, report_json):
            raise ImportCancelled

    update_progress = _progress_callback(job)

    def count_written(done: int) -> None:
        update_progress(ImportProgress(ImportStep.WRITING, done, job.total))

    try:
        with progress.report_to(StepReporter(update_progress)):
            importer.run_import(
                bank=job.bank,
                parsed_file=parsed_file,
                by=job.by,
                now=now,
                selection=_job_selection(job),
                on_progress=count_written,
                on_report=build_report,
                on_finish=finish,
            )
    except Conflict as conflict:
        if job_files.is_cancelled(job.uuid):
            raise ImportCancelled from conflict
        _ask_again(job, file, conflict, now)


def _planned_findings(job: ImportJob) -> dict[int, tuple[Finding, ...] | None]:
    """Return what was found in the items when they were planned, by their numbers."""
    items = (from_json(ReportItem, item) for item in job.report.get("items", ()))
    return {item.number: item.findings for item in items}


def _job_selection(job: ImportJob) -> ImportSelection:
    """Return what was selected, and the plan that it was selected from: it must still hold."""
    fingerprints = import_reading.load_plan(job).fingerprints if job.selected_items else ()
    return ImportSelection(
        None if job.selected_items is None else frozenset(job.selected_items),
        frozenset(job.as_new or ()),
        fingerprints,
        MatchAnswers.from_json(job.match_answers or {}),
    )


def _progress_callback(job: ImportJob) -> OnProgress:
    """Return what writes the progress, and stops an import that was cancelled or is too slow."""
    until = time.monotonic() + MAX_DURATION.total_seconds()

    def update_progress(now: ImportProgress) -> None:
        job_files.write_progress(job.uuid, now)
        if job_files.is_cancelled(job.uuid):
            raise ImportCancelled
        if time.monotonic() > until:
            raise Refused("too_slow")

    return update_progress


def _ask_again(job: ImportJob, file: FileReading, conflict: Conflict, now: datetime) -> None:
    """Wait for another selection: the bank is no longer the one that was selected from."""
    report = {**import_reading.plan_as_json(job, file), "code": conflict.code}
    ImportJob.objects.filter(pk=job.pk, state=State.RUNNING).update(
        state=State.READY, report=report, updated_at=now
    )


def _end(job: ImportJob, state: State, now: datetime, report: dict[str, object]) -> bool:
    """End a running import; return whether it was still running."""
    running = ImportJob.objects.filter(pk=job.pk, state=State.RUNNING)
    return bool(running.update(state=state, report=report, finished_at=now, updated_at=now))


def _put_before_person(job: ImportJob, now: datetime) -> None:
    """Wait for a selection again, with what was ticked: somebody stopped the import."""
    ImportJob.objects.filter(pk=job.pk, state=State.RUNNING).update(
        state=State.READY, updated_at=now
    )
    job_files.clear_cancel(job.uuid)


def cancel(*, job: ImportJob, by: User | None, now: datetime) -> None:
    """Cancel the step that an import is at; nothing of it is written.

    What is about to be written, or is being written (that stops soon), waits for a selection
    again, with what was ticked; so does what is planned again. What waits for a selection or its
    format, or is read for the first time, is over. Who may not run it: NotFound.
    """
    check_importer(by, job)
    rows = ImportJob.objects.filter(pk=job.pk)
    if rows.filter(state=State.QUEUED).update(state=State.READY, updated_at=now):
        return
    if rows.filter(state=State.RUNNING).exists():
        job_files.request_cancel(job.uuid)
        return
    if import_reading.stop_replanning(job=job, now=now):
        return
    waiting = rows.filter(state__in=(State.AMBIGUOUS, State.READING, State.READY))
    if waiting.update(state=State.CANCELLED, report={}, finished_at=now, updated_at=now):
        job_files.delete(job.uuid)


def sweep(*, now: datetime) -> int:
    """Read and run what waits, put back what was killed, cancel what nobody selected from.

    Return how many ran. No other is begun after a minute: one may take as long as the task.
    """
    until = steady_clock.seconds() + MAX_SWEEP_SECONDS
    import_reading.sweep(now=now)
    for job in ImportJob.objects.filter(state=State.RUNNING, updated_at__lt=now - RUN_TIMEOUT):
        _put_back(job, now)
    unanswered = ImportJob.objects.filter(state__in=(State.AMBIGUOUS, State.READY))
    for job in unanswered.filter(updated_at__lt=now - UPLOAD_LIFETIME):
        cancel(job=job, by=None, now=now)
    for uuid in job_files.stale_jobs(now - RUN_TIMEOUT):
        if not ImportJob.objects.filter(uuid=uuid, state__in=OPEN).exists():
            job_files.delete(uuid)
    count = 0
    for pk in ImportJob.objects.filter(state=State.QUEUED).values_list("pk", flat=True):
        run(pk=pk, now=now)
        count += 1
        if steady_clock.seconds() > until:
            break
    return count


def _put_back(job: ImportJob, now: datetime) -> None:
    """Queue again what was killed; what was killed each time has failed."""
    killed = ImportJob.objects.filter(pk=job.pk, state=State.RUNNING, updated_at=job.updated_at)
    if job.tries < MAX_RUNS:
        killed.update(state=State.QUEUED, updated_at=now)
    elif killed.update(
        state=State.FAILED, report={"code": "killed"}, finished_at=now, updated_at=now
    ):
        job_files.delete(job.uuid)
