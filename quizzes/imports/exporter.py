"""A bank as a parcel, and as a file of any format that can be written."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from grading.kinds import KINDS
from quizzes.bank import blob_store
from quizzes.bank.models import Bank, Question
from quizzes.bank.uploads import list_references
from quizzes.document import QuestionDocument
from quizzes.formats import FORMATS, WRITERS
from quizzes.formats.contract import (
    ExportResult,
    ExportWarning,
    ImportStatus,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.document_mapping import build_parsed_question
from quizzes.lib.errors import Invalid

MEDIA_TYPES: Final[Mapping[str, str]] = {
    "apkg": "application/zip",
    "csv": "text/csv",
    "gift": "text/plain",
    "md": "text/markdown",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "zip": "application/zip",
}
"""What a file is, by its ending."""
ZIP_ENDINGS: Final = frozenset({"apkg", "imscc", "xlsx", "zip"})
DEFAULT_MEDIA_TYPE: Final = "application/octet-stream"

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


def build_parsed_file(bank: Bank) -> tuple[ParsedFile, tuple[ExportWarning, ...]]:
    """Give the drafts of all questions in use, in every language, and the files they show.

    A draft of a kind that does not exist is a loss.
    """
    items, losses, media_ids = [], [], set()
    for question, item in _drafts(bank):
        if item.kind not in KINDS:
            losses.append(ExportWarning(question.name, "kind_not_held", {"kind": item.kind}))
            continue
        names = {str(row.uuid): row.name for row in question.options.all()}
        tags = sorted(tag.name for tag in question.tags.all())
        parsed_question = build_parsed_question(question.name, item, names, tags)
        items.append(
            SourceItem(0, 0, question.name, item.kind, ImportStatus.IMPORTED, parsed_question)
        )
        media_ids |= {reference.uuid for _, reference in list_references(item)}
    files = bank.files.filter(uuid__in=media_ids)
    media = {
        f"{media_file.uuid}.{media_file.extension}": blob_store.path_of(
            media_file.sha256
        ).read_bytes()
        for media_file in files
    }
    fields = {
        name: getattr(bank, name)
        for name in ("title", "description", "source", "licence", "source_language")
    }
    return ParsedFile(bank.slug, fields, tuple(items), media=media), tuple(losses)


def _drafts(bank: Bank) -> Iterator[tuple[Question, QuestionDocument]]:
    rows = bank.questions.filter(retired_at=None, draft__isnull=False).order_by("pk")
    for question in rows.select_related("draft").prefetch_related("options", "tags").iterator(200):
        yield question, QuestionDocument.from_json(question.draft.data)


def export_bank(*, bank: Bank, format_: str, language: str = "") -> ExportResult:
    """Write a bank in a format, in this language where it holds only one (else the bank's own).

    A format that cannot be written, or is none: Invalid.
    """
    writer = WRITERS.get(format_)
    if writer is None:
        raise Invalid("format_not_writable", format=format_, formats=tuple(WRITERS))
    parcel, losses = build_parsed_file(bank)
    written = writer.write(parcel, language=language or bank.source_language)
    return ExportResult(written.data, (*losses, *written.warnings))


def name_export(*, bank: Bank, format_: str, data: bytes) -> tuple[str, str]:
    """Give a written bank a name of plain letters, and the media type of what it is."""
    packed = data.startswith(b"PK\3\4")
    endings = FORMATS[format_].extensions
    ending = next(
        (extension for extension in endings if (extension in ZIP_ENDINGS) == packed), endings[0]
    )
    name = _UNSAFE.sub("-", bank.slug).strip("-") or "bank"
    return f"{name}.{ending}", MEDIA_TYPES.get(ending, DEFAULT_MEDIA_TYPE)
