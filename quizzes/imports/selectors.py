"""Imports as lists need them, without their reports, whose items may be thousands; progress."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce

from accounts.access import UserOrAnonymous
from quizzes.bank.models import Bank, Question
from quizzes.imports import job_files
from quizzes.imports.access import imports_visible_to
from quizzes.imports.import_steps import NOT_BEGUN, ImportProgress, ImportStep
from quizzes.imports.models import BUSY, ImportJob, State

REPORT_VALUES = ("status_counts", "action_counts", "published")
REPORT_TEXTS = ("bank_fingerprint", "code")


def list_imports(user: UserOrAnonymous) -> QuerySet[ImportJob]:
    """Return the imports into banks that this person may change, with the head of the report.

    Each row has the attributes REPORT_VALUES and REPORT_TEXTS: None and "" without a report.
    """
    rows = imports_visible_to(user).select_related("bank", "by").defer("report")
    return rows.annotate(
        **{name: KeyTransform(name, "report") for name in REPORT_VALUES},
        **{
            name: Coalesce(KeyTextTransform(name, "report"), Value("", TextField()))
            for name in REPORT_TEXTS
        },
    )


def load_progress(job: ImportJob) -> ImportProgress:
    """Return how far an import is; of one that nobody works at, without a step."""
    if job.state not in BUSY:
        return ImportProgress("", job.total if job.state == State.DONE else 0, job.total)
    progress = NOT_BEGUN if job.state == State.QUEUED else job_files.read_progress(job.uuid)
    if not progress.step:
        return ImportProgress(_find_first_step(job), progress.done, job.total)
    return progress


def _find_first_step(job: ImportJob) -> ImportStep:
    if job.state == State.READING:
        # Once it was read, the number of its items is known.
        return ImportStep.PLANNING if job.total else ImportStep.READING
    return ImportStep.WRITING


def question_ids_by_name(bank: Bank, names: Collection[str]) -> dict[str, UUID]:
    """Return the ids of these questions of a bank, by name; one query."""
    questions = Question.objects.filter(bank=bank, name__in=names)
    return dict(questions.values_list("name", "uuid"))
