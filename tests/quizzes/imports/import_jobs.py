"""Files that were uploaded for a bank, and read as a task reads them."""

from quizzes.bank.models import Bank
from quizzes.imports import import_reading, jobs
from quizzes.imports.models import ImportJob
from quizzes.lib.errors import Invalid
from tests.factories import NOW
from tests.quizzes.formats.test_ochenta import GOOD

EVIDENCE = (
    {
        "format": "gift",
        "read_items": 12,
        "items": 14,
        "unexplained_lines": 3,
        "lines": 40,
        "kinds": ["essay"],
    },
    {
        "format": "ochenta-bank/1",
        "read_items": 1,
        "items": 1,
        "unexplained_lines": 0,
        "lines": 40,
        "kinds": [],
    },
)
"""What two formats make of a file."""


def refuse_as_ambiguous(*_: object, **__: object) -> None:
    """Be the detection of a file that may be of two formats."""
    formats = tuple(each["format"] for each in EVIDENCE)
    raise Invalid("format_ambiguous", formats=formats, evidence=EVIDENCE)


def create_job(
    into: Bank, text: str = GOOD, filename: str = "../a.yaml", language: str = ""
) -> ImportJob:
    return jobs.create_import(
        bank=into, data=text.encode(), filename=filename, format_="", language=language, by=None
    )


def create_unread_job(into: Bank) -> ImportJob:
    """Upload a file whose format was named: only a task reads it."""
    return jobs.create_import(
        bank=into,
        data=GOOD.encode(),
        filename="a.yaml",
        format_="ochenta-bank/1",
        language="",
        by=None,
    )


def read_job(job: ImportJob) -> ImportJob:
    import_reading.read_and_plan(pk=job.pk, now=NOW)
    job.refresh_from_db()
    return job


def create_ready_job(*uploaded: object, **options: str) -> ImportJob:
    """Upload a file and read it."""
    return read_job(create_job(*uploaded, **options))  # type: ignore[arg-type]  # as they came
