"""Imports as lists need them, without their reports, whose items may be thousands; progress."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID

from django.db.models import QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce

from accounts.access import UserOrAnonymous
from quizzes.bank.models import Bank, Question
from quizzes.imports import job_files
from quizzes.imports.access import imports_visible_to
from quizzes.imports.models import ImportJob, State

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


class ImportStep(StrEnum):
    """What is being done of an import: what its progress counts."""

    READING = "reading"
    PLANNING = "planning"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How many items, or rows of a sheet, are done of the step; `total` is 0 until it is read."""

    step: ImportStep | Literal[""]
    done: int
    total: int


def load_progress(job: ImportJob) -> ImportProgress:
    """Return how far an import is; of one that nobody works at, without a step."""
    step = _find_step(job)
    done = job_files.read_progress(job.uuid) if step and job.state != State.QUEUED else 0
    return ImportProgress(step, job.total if job.state == State.DONE else done, job.total)


def _find_step(job: ImportJob) -> ImportStep | Literal[""]:
    if job.state == State.READING:
        # Once it is read, the number of its items is known.
        return ImportStep.PLANNING if job.total else ImportStep.READING
    return ImportStep.WRITING if job.state in {State.QUEUED, State.RUNNING} else ""


def question_ids_by_name(bank: Bank, names: Collection[str]) -> dict[str, UUID]:
    """Return the ids of these questions of a bank, by name; one query."""
    questions = Question.objects.filter(bank=bank, name__in=names)
    return dict(questions.values_list("name", "uuid"))
