"""A file on its way to a plan: taken, read in the request or by a task, planned or refused."""

from datetime import datetime, timedelta
from typing import Any, Final

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError
from django.db.models import Q

from accounts.models import User
from quizzes.bank.models import Bank
from quizzes.bank.uploads import build_label
from quizzes.formats.contract import ParsedFile
from quizzes.formats.parsing.failures import log_failure
from quizzes.imports import bank_snapshot, job_files, parse, report_format, stored_plan
from quizzes.imports.importer import ImportReport
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import OPEN, ImportJob, State
from quizzes.imports.stored_plan import StoredPlan
from quizzes.lib.errors import Conflict, Invalid

LIGHT: Final = 1_000_000
"""Bytes of a file that is read at once, in the request that brings it."""
PICKUP_TIMEOUT: Final = timedelta(minutes=1)
"""How long a file waits for somebody to read it."""
READ_TIMEOUT: Final = timedelta(minutes=15)
"""How long a file that somebody reads is left alone: longer than any task may take."""
MAX_READS: Final = 3
"""How often a file is read that kills those who read it."""

PLAN_FAILED: Final = "plan_failed"
SITE_ERRORS: Final = (SoftTimeLimitExceeded, OperationalError, InterfaceError)
"""What says nothing of the file that was planned: the site, or its database, is in trouble."""


def take(  # noqa: PLR0913  each is a thing that a person says
    *, bank: Bank, data: bytes, filename: str, format_: str, language: str, by: User | None
) -> ImportJob:
    """Keep a file for a bank, to be read by `look`. Of no known format, or too large: Invalid."""
    form = parse.resolve_format(data, filename, format_)
    job = ImportJob(
        bank=bank,
        by=by,
        filename=build_label(filename),
        format=form.name,
        language=language,
    )
    job_files.save_upload(job.uuid, data)
    job.save()
    return job


def parse_job_file(job: ImportJob) -> ParsedFile:
    """Read the file of an import that is not over yet."""
    data = job_files.read_upload(job.uuid)
    return parse.parse_upload(data, job.filename, format_=job.format, language=job.language)


def plan_as_json(job: ImportJob, parcel: ParsedFile) -> dict[str, Any]:
    """Lay out what would be done, and tell it, and of which state of the bank that is said."""
    state = bank_snapshot.bank_fingerprint(job.bank)
    report = _write_plan(job, parcel)
    return {**report_format.serialize_report(report, parcel, written=False), "bank_state": state}


def _write_plan(job: ImportJob, parcel: ParsedFile) -> ImportReport:
    """Lay a plan out; twins that were confirmed and are gone by now are open questions again."""
    answers = MatchAnswers.from_json(job.match_answers or {})
    for _ in range(len(answers.accepted)):
        try:
            return stored_plan.write_plan(job, parcel)
        except Conflict as conflict:
            if conflict.code != "twin_gone":
                raise
            answers = answers.without(conflict.detail["number"])
            job.match_answers = answers.to_json()
            ImportJob.objects.filter(pk=job.pk).update(match_answers=job.match_answers)
    return stored_plan.write_plan(job, parcel)


def load_plan(job: ImportJob) -> StoredPlan:
    """Give what would be done as it was laid out; where that is lost, anew."""
    try:
        return stored_plan.load_plan(job)
    except FileNotFoundError:
        _write_plan(job, parse_job_file(job))
        return stored_plan.load_plan(job)


def read_and_plan(*, pk: int, now: datetime) -> None:
    """Read a file that was taken, and plan it: it then waits for a choice.

    One that cannot be read, or killed those who tried, has failed; its report says why. One that
    somebody is reading is left to them.
    """
    # A sweep and a worker that was slow to come may want the same file.
    free = ImportJob.objects.filter(_is_lost(now) | Q(tries=0), state=State.READING)
    job = free.select_related("bank").filter(pk=pk).first()
    if job is None:
        return
    tries = job.tries + 1
    if not free.filter(pk=pk).update(tries=tries, updated_at=now):
        return
    try:
        _read(job, tries, now)
    except Invalid as error:
        _fail(job, error, now)
    except SITE_ERRORS as error:
        if _fail(job, error, now):
            raise
    except Exception as error:  # noqa: BLE001  whatever planning throws
        # A file that is gone was cancelled meanwhile: that is no failure.
        if _fail(job, Invalid(PLAN_FAILED), now):
            log_failure(f"import of format {job.format}", error, "planning")


def _is_lost(now: datetime) -> Q:
    return Q(updated_at__lt=now - READ_TIMEOUT)


def _read(job: ImportJob, tries: int, now: datetime) -> None:
    if tries > MAX_READS:
        raise Invalid("file_kills_readers")
    parcel = parse_job_file(job)
    if parcel.errors:
        raise Invalid("file_has_troubles", troubles=parcel.errors)
    # Only while it is still to be read: somebody may have cancelled it meanwhile.
    reading = ImportJob.objects.filter(pk=job.pk, state=State.READING)
    reading.update(total=len(parcel.items))
    plan = plan_as_json(job, parcel)
    if not reading.update(state=State.READY, report=plan, updated_at=now):
        delete_if_over(job)


def _fail(job: ImportJob, error: Exception, now: datetime) -> bool:
    """End it with the reason, and tell whether it was still to be read; then its file goes."""
    detail = error.detail if isinstance(error, Invalid) else {}
    report = {
        "code": getattr(error, "code", "") or type(error).__name__,
        "troubles": report_format.serialize_errors(detail.get("troubles", ())),
    }
    failed = ImportJob.objects.filter(pk=job.pk, state=State.READING).update(
        state=State.FAILED, report=report, finished_at=now, updated_at=now
    )
    delete_if_over(job)
    return bool(failed)


def delete_if_over(job: ImportJob) -> None:
    """Let go of the file of an import, unless it goes on in other hands."""
    if not ImportJob.objects.filter(pk=job.pk, state__in=OPEN).exists():
        job_files.delete(job.uuid)


def replan(*, job: ImportJob, now: datetime) -> bool:
    """Have an import that waits for a choice planned anew by `look`; tell whether it did wait."""
    waiting = ImportJob.objects.filter(pk=job.pk, state=State.READY)
    return bool(waiting.update(state=State.READING, report={}, tries=0, updated_at=now))


def sweep(*, now: datetime) -> None:
    """Read the files that nobody came to read, or that killed whoever did."""
    missed = Q(updated_at__lt=now - PICKUP_TIMEOUT, tries=0)
    left = ImportJob.objects.filter(_is_lost(now) | missed, state=State.READING)
    for pk in list(left.values_list("pk", flat=True)):
        read_and_plan(pk=pk, now=now)
