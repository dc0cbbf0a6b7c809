"""An import from upload to report: received, planned, run, cancelled, found again when killed."""

import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from accounts.models import User
from quizzes.bank.models import Bank
from quizzes.bank.uploads import build_label
from quizzes.formats.contract import ParsedFile
from quizzes.formats.parsing.failures import log_failure
from quizzes.imports import bank_snapshot, import_reading, importer, job_files, parse, report_format
from quizzes.imports.importer import ImportSelection
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import OPEN, ImportJob, State
from quizzes.lib.errors import Conflict, Invalid, Refused, ServiceError

INLINE_MAX_ITEMS: Final = 500
"""Items that are imported at once, in the request that asks for it."""
MAX_DURATION: Final = timedelta(minutes=12)
"""How long an import may take; then it fails, and says so."""
RUN_TIMEOUT: Final = timedelta(minutes=15)
"""How long a running import is left alone: longer than any task may take."""
MAX_RUNS: Final = 2
"""How often an import is begun; what is killed each time would be killed for ever."""
UPLOAD_LIFETIME: Final = timedelta(days=7)
"""How long a file waits for somebody's choice."""


class ImportCancelled(Exception):
    """Somebody cancelled the import while it ran."""


def receive(  # noqa: PLR0913  each is a thing that a person says
    *, bank: Bank, data: bytes, filename: str, format_: str, language: str, by: User | None
) -> ImportJob:
    """Keep a file for a bank. One of no known format, too large or unreadable: Invalid.

    So is one whose planning fails, which is logged.
    """
    form = parse.resolve_format(data, filename, format_)
    parcel = parse.parse_as(form, data, language)
    if parcel.errors:
        raise Invalid("file_has_troubles", troubles=parcel.errors)
    job = ImportJob(
        bank=bank,
        by=by,
        filename=build_label(filename),
        format=form.name,
        language=language,
        state=State.READY,
        total=len(parcel.items),
    )
    job_files.save_upload(job.uuid, data)
    _plan(job, parcel)
    return job


def _plan(job: ImportJob, parcel: ParsedFile) -> None:
    """Keep a received import with its plan; if that fails, nothing of it stays."""
    try:
        job.report = import_reading.plan_as_json(job, parcel)
        job.save()
    except Exception as error:
        job_files.delete(job.uuid)
        if isinstance(error, (ServiceError, *import_reading.SITE_ERRORS)):
            raise
        log_failure(f"import of format {job.format}", error, "planning")
        raise Invalid(import_reading.PLAN_FAILED) from None


@transaction.atomic
def confirm_selection(
    *, job: ImportJob, selected: Collection[int] | None, bank_fingerprint: str = ""
) -> ImportJob:
    """Say which items are wanted (None: the usual ones); the import then waits to be run.

    `seen` is the state of the bank that the plan was made of, if it must still be so: else
    Conflict.

    Chosen before: as it was. Cancelled, or not read yet: Conflict.
    """
    job = ImportJob.objects.select_for_update().get(pk=job.pk)
    if job.state in {State.CANCELLED, State.FAILED}:
        raise Conflict("import_is_over", state=job.state)
    if job.state == State.READING:
        raise Conflict("import_not_read")
    if job.state == State.READY and bank_fingerprint not in {
        "",
        bank_snapshot.bank_fingerprint(job.bank),
    }:
        raise Conflict("bank_changed")
    if job.state == State.READY:
        job.state, job.selected_items = State.QUEUED, None if selected is None else sorted(selected)
        job.tries = 0
        job.save()
    return job


def run(*, pk: int, now: datetime) -> None:
    """Do what was chosen, if it still waits: all of it with its report, or nothing.

    Whatever kills it: nothing is half written, and the sweep finds the row.
    """
    claimed = ImportJob.objects.filter(pk=pk, state=State.QUEUED).update(
        state=State.RUNNING, tries=F("tries") + 1, updated_at=now
    )
    if not claimed:
        return
    job = ImportJob.objects.select_related("bank", "by").get(pk=pk)
    job_files.write_progress(job.uuid, 0)  # the mark of its reading stood there
    try:
        _run_selected(job, now)
    except ImportCancelled:
        _end(job, State.CANCELLED, now, {})
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


def _run_selected(job: ImportJob, now: datetime) -> None:
    """Bring in what was chosen. Whatever only reads comes before the transaction, to be short."""
    parcel, choice = import_reading.parse_job_file(job), _selection_of_job(job)
    ahead = importer.precompute_matches(bank=job.bank, parcel=parcel, selection=choice)
    try:
        with transaction.atomic():
            running = ImportJob.objects.select_for_update().filter(pk=job.pk)
            if not running.filter(state=State.RUNNING).exists():
                return
            report = importer.run_import(
                bank=job.bank,
                parcel=parcel,
                by=job.by,
                now=now,
                selection=choice,
                on_progress=_progress_callback(job),
                precomputed=ahead,
            )
            _end(job, State.DONE, now, report_format.serialize_report(report, parcel, written=True))
    except Conflict as conflict:
        if job_files.is_cancelled(job.uuid):
            raise ImportCancelled from conflict
        _ask_again(job, parcel, conflict, now)


def _selection_of_job(job: ImportJob) -> ImportSelection:
    """Give what was chosen, and the plan that it was chosen from: it must still hold."""
    anew, twins = frozenset(job.as_new or ()), MatchAnswers.from_json(job.match_answers or {})
    if job.selected_items is None:
        return ImportSelection(as_new=anew, answers=twins)
    return ImportSelection(
        frozenset(job.selected_items), anew, import_reading.load_plan(job).fingerprints, twins
    )


def _progress_callback(job: ImportJob) -> Callable[[int], None]:
    """Tell how far it is, and end it when somebody cancelled it or it takes too long."""
    until = time.monotonic() + MAX_DURATION.total_seconds()

    def progress(done: int) -> None:
        job_files.write_progress(job.uuid, done)
        if job_files.is_cancelled(job.uuid):
            raise ImportCancelled
        if time.monotonic() > until:
            raise Refused("too_slow")

    return progress


def _ask_again(job: ImportJob, parcel: ParsedFile, conflict: Conflict, now: datetime) -> None:
    """Let somebody choose again: the bank is no longer what the choice was made from."""
    plan = {**import_reading.plan_as_json(job, parcel), "code": conflict.code}
    ImportJob.objects.filter(pk=job.pk, state=State.RUNNING).update(
        state=State.READY, report=plan, updated_at=now
    )


def _end(job: ImportJob, state: State, now: datetime, report: dict[str, object]) -> None:
    ImportJob.objects.filter(pk=job.pk).update(
        state=state, report=report, finished_at=now, updated_at=now
    )


def cancel(*, job: ImportJob, now: datetime) -> None:
    """Cancel an import: at once if it waits, soon if it runs; nothing of it is written."""
    waits = (State.READING, State.READY, State.QUEUED)
    waiting = ImportJob.objects.filter(pk=job.pk, state__in=waits)
    if waiting.update(state=State.CANCELLED, report={}, finished_at=now, updated_at=now):
        job_files.delete(job.uuid)
    elif ImportJob.objects.filter(pk=job.pk, state=State.RUNNING).exists():
        job_files.request_cancel(job.uuid)


def sweep(*, now: datetime) -> int:
    """Read and run what waits, put back what was killed, let go what nobody chose.

    Give how many ran.
    """
    import_reading.sweep(now=now)
    for job in ImportJob.objects.filter(state=State.RUNNING, updated_at__lt=now - RUN_TIMEOUT):
        _put_back(job, now)
    for job in ImportJob.objects.filter(state=State.READY, updated_at__lt=now - UPLOAD_LIFETIME):
        cancel(job=job, now=now)
    for uuid in job_files.stale_jobs(now - RUN_TIMEOUT):
        if not ImportJob.objects.filter(uuid=uuid, state__in=OPEN).exists():
            job_files.delete(uuid)
    waiting = list(ImportJob.objects.filter(state=State.QUEUED).values_list("pk", flat=True))
    for pk in waiting:
        run(pk=pk, now=now)
    return len(waiting)


def _put_back(job: ImportJob, now: datetime) -> None:
    """Let be begun again what was killed; what was killed each time has failed."""
    killed = ImportJob.objects.filter(pk=job.pk, state=State.RUNNING, updated_at=job.updated_at)
    if job.tries < MAX_RUNS:
        killed.update(state=State.QUEUED, updated_at=now)
    elif killed.update(
        state=State.FAILED, report={"code": "killed"}, finished_at=now, updated_at=now
    ):
        job_files.delete(job.uuid)
