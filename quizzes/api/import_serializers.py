"""What all resources of imports share: the serializers of an import, and its lookup."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.request import Request

from quizzes.api.change_pages import ChangePageSerializer
from quizzes.api.fields import UTCDateTimeField
from quizzes.api.idempotency import WriteResult
from quizzes.api.permissions import request_user
from quizzes.api.preconditions import build_etag, hash_version
from quizzes.imports.import_steps import ImportStep
from quizzes.imports.models import ImportJob, State
from quizzes.imports.selectors import (
    REPORT_TEXTS,
    REPORT_VALUES,
    list_imports,
    load_progress,
)
from quizzes.lib.errors import NotFound

STATES: Mapping[str, tuple[State, ...]] = {
    "ambiguous": (State.AMBIGUOUS,),
    "reading": (State.READING,),
    "ready": (State.READY,),
    "committing": (State.QUEUED, State.RUNNING),
    "done": (State.DONE,),
    "failed": (State.FAILED,),
    "cancelled": (State.CANCELLED,),
}
"""What programs call the states of an import: those that differ for them."""
ROW_FIELDS = (
    *("bank", "filename", "format", "language", "by", "created_at", "updated_at", "finished_at"),
    *REPORT_VALUES,
    *REPORT_TEXTS,
)
STATE_NAMES = {inner: outer for outer, states in STATES.items() for inner in states}
IMPORT_EXAMPLE = {
    "id": "7a1f0f55-9a49-4b8f-9f3b-3c5f0a4b6d21",
    "bank": {"id": "5d1c7a52-6f0b-4c0e-9d7c-2f1f7f0c6c11", "slug": "rivers"},
    "filename": "rivers.xml",
    "format": "moodle-xml",
    "language": "",
    "state": "ready",
    "progress": {"step": "", "done": 0, "total": 40},
    "by": {"id": "a3d5c9f0-61c7-4d0f-8f41-0a6f0d4c2b11", "name": "Ada"},
    "status_counts": {"imported": 36, "repaired": 2, "needs_review": 1, "refused": 1},
    "action_counts": {
        "new": 5,
        "same": 31,
        "changed": 2,
        "translation": 0,
        "conflict": 0,
        "needs_review": 1,
        "refused": 1,
        "not_selected": 0,
    },
    "published": 7,
    "bank_fingerprint": "0f3a9c1d2b4e5f60",
    "code": "",
    "created_at": "2026-11-21T12:00:00Z",
    "updated_at": "2026-11-21T12:00:02Z",
    "finished_at": None,
    "errors": [],
    "formats": [],
    "evidence": [],
}
EXAMPLE = OpenApiExample("A file that waits for a choice", IMPORT_EXAMPLE, response_only=True)


class BankReferenceSerializer(serializers.Serializer[Any]):
    """Into which bank."""

    id = serializers.UUIDField(source="uuid")
    slug = serializers.CharField()


class UserReferenceSerializer(serializers.Serializer[Any]):
    """Who sent a file."""

    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()


class ProgressSerializer(serializers.Serializer[Any]):
    """How many items are done of a step, of how many; `total` is 0 until the file is read."""

    step = serializers.ChoiceField(
        [step.value for step in ImportStep],
        allow_blank=True,
        help_text="what `done` counts: items or rows that are read (`reading`), items whose lines"
        " are accounted for (`checking`), whose scores are compared with the rules of the file"
        " (`comparing`), whose language is found (`languages`); questions of the file and of the"
        " bank that are compared with each other (`matching`); items that are planned (`planning`)"
        " or written (`writing`). Blank while nothing is being done",
    )
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class ImportSerializer(serializers.Serializer[Any]):
    """A file on its way into a bank. Counts are null before it is read, and if nothing came of it.

    `status_counts` say what was understood, `action_counts` what would be done, or was done: once
    it is committed, what could have been written and was not is counted as `not_selected` alone.
    """

    id = serializers.UUIDField()
    bank = BankReferenceSerializer()
    filename = serializers.CharField(allow_blank=True)
    format = serializers.CharField(allow_blank=True, help_text="blank while it is `ambiguous`")
    language = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(list(STATES))
    progress = ProgressSerializer()
    by = UserReferenceSerializer(allow_null=True)
    status_counts = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    action_counts = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    published = serializers.IntegerField(
        allow_null=True, help_text="questions that are published by it, not kept as drafts"
    )
    bank_fingerprint = serializers.CharField(
        allow_blank=True, help_text="of the bank when the plan was made; a commit may require it"
    )
    code = serializers.CharField(allow_blank=True, help_text="why it failed")
    created_at = UTCDateTimeField()
    updated_at = UTCDateTimeField()
    finished_at = UTCDateTimeField(allow_null=True)


class FileErrorSerializer(serializers.Serializer[Any]):
    """What keeps a whole file out, and where."""

    line = serializers.IntegerField()
    where = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField()


class FormatEvidenceSerializer(serializers.Serializer[Any]):
    """What a format would make of a file that is `ambiguous`."""

    format = serializers.CharField()
    read_items = serializers.IntegerField(help_text="items that it would read")
    items = serializers.IntegerField(help_text="items that it sees")
    unexplained_lines = serializers.IntegerField(help_text="lines that are in no question")
    lines = serializers.IntegerField(
        help_text="lines that are not empty, of a file over 100 kB those of its beginning"
    )
    kinds = serializers.ListField(
        child=serializers.CharField(),
        help_text="kinds of the questions that it would read, the most frequent first",
    )


class ImportDetailSerializer(ImportSerializer):
    """One import. `errors`: why its file cannot be read."""

    errors = FileErrorSerializer(many=True)  # type: ignore[assignment]  # the metaclass takes it away
    formats = serializers.ListField(
        child=serializers.CharField(), help_text="those to choose from, while it is `ambiguous`"
    )
    evidence = FormatEvidenceSerializer(many=True, help_text="for each of `formats`")


class ImportPageSerializer(ChangePageSerializer):
    """Some imports, those changed last at the end."""

    items = ImportSerializer(many=True)


def get_import(request: Request, uuid: UUID) -> ImportJob:
    """Return an import into a bank that this person may change; any other: NotFound."""
    job = list_imports(request_user(request)).filter(uuid=uuid).first()
    if job is None:
        raise NotFound
    return job


def import_row(job: ImportJob) -> dict[str, Any]:
    """Return what a list shows of an import, one of `list_imports`."""
    return {
        **{name: getattr(job, name) for name in ROW_FIELDS},
        "id": job.uuid,
        "state": STATE_NAMES[State(job.state)],
        "progress": asdict(load_progress(job)),
    }


def build_import_result(job: ImportJob, status: int = 202) -> WriteResult:
    """Return the answer to a change of an import, one of `list_imports`: as its resource shows it.

    Of one that is being written, 202 whatever the status is.
    """
    payload, version = build_detail(job), import_version(job)
    is_busy = payload["state"] == "committing"
    return WriteResult(
        202 if is_busy else status,
        payload,
        import_url(job.uuid),
        build_etag(version, payload),
    )


def build_detail(job: ImportJob) -> Mapping[str, Any]:
    """Return an import, one of `list_imports`, as its resource shows it."""
    # The report is read for those alone that have no other.
    errors = job.report.get("errors", []) if job.state == State.FAILED else []
    evidence = job.format_evidence if job.state == State.AMBIGUOUS else []
    evidence = [{"kinds": [], **each} for each in evidence]
    formats = [each["format"] for each in evidence]
    values = {**import_row(job), "errors": errors, "formats": formats, "evidence": evidence}
    payload: Mapping[str, Any] = ImportDetailSerializer(values).data
    return payload


def lock_import_version(job: ImportJob) -> str:
    """Lock the row of an import and return its version: every write of the row makes another."""
    return import_version(ImportJob.objects.select_for_update().get(pk=job.pk))


def import_version(job: ImportJob) -> str:
    """Return the version of an import."""
    return hash_version(job.uuid, job.change_number)


def import_url(uuid: UUID) -> str:
    """Return the address of an import."""
    return reverse("api:import", kwargs={"job": uuid})
