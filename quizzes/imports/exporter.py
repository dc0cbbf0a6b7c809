"""Exporting a bank to a file of any format that can be written."""

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
from quizzes.lib.read_replica import reads_from_replica

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
"""The media type of a file, by its extension."""
ZIP_EXTENSIONS: Final = frozenset({"apkg", "imscc", "xlsx", "zip"})
DEFAULT_MEDIA_TYPE: Final = "application/octet-stream"

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


def build_parsed_file(bank: Bank) -> tuple[ParsedFile, tuple[ExportWarning, ...]]:
    """Return the drafts of all questions in use, in every language, with the files they show.

    A draft of a kind that does not exist is a warning.
    """
    items, warnings, media_ids = [], [], set()
    for question, document in _iter_drafts(bank):
        if document.kind not in KINDS:
            detail = {"kind": document.kind}
            warnings.append(ExportWarning(question.name, "kind_not_held", detail))
            continue
        names = {str(row.uuid): row.name for row in question.options.all()}
        tags = sorted(tag.name for tag in question.tags.all())
        parsed = build_parsed_question(question.name, document, names, tags)
        items.append(SourceItem(0, 0, question.name, parsed.kind, ImportStatus.IMPORTED, parsed))
        media_ids |= {reference.uuid for _, reference in list_references(document)}
    files = bank.files.filter(uuid__in=media_ids)
    media = {
        f"{media_file.uuid}.{media_file.extension}": blob_store.read_blob(media_file.sha256)
        for media_file in files
    }
    fields = {
        name: getattr(bank, name)
        for name in ("title", "description", "source", "licence", "source_language")
    }
    return ParsedFile(bank.slug, fields, tuple(items), media=media), tuple(warnings)


def _iter_drafts(bank: Bank) -> Iterator[tuple[Question, QuestionDocument]]:
    rows = bank.questions.filter(retired_at=None, draft__isnull=False).order_by("pk")
    for question in rows.select_related("draft").prefetch_related("options", "tags").iterator(200):
        yield question, QuestionDocument.from_json(question.draft.data)


@reads_from_replica
def export_bank(*, bank: Bank, format_: str, language: str = "") -> ExportResult:
    """Export a bank to a format, in this language where it has only one (else the bank's own).

    A format that cannot be written, or is none: Invalid.
    """
    writer = WRITERS.get(format_)
    if writer is None:
        raise Invalid("format_not_writable", format=format_, formats=tuple(WRITERS))
    parsed_file, warnings = build_parsed_file(bank)
    exported = writer.write(parsed_file, language=language or bank.source_language)
    return ExportResult(exported.data, (*warnings, *exported.warnings))


def name_export(*, bank: Bank, format_: str, data: bytes) -> tuple[str, str]:
    """Return a file name of plain letters for an exported bank, and its media type."""
    is_zip = data.startswith(b"PK\3\4")
    extensions = FORMATS[format_].extensions
    extension = next(
        (extension for extension in extensions if (extension in ZIP_EXTENSIONS) == is_zip),
        extensions[0],
    )
    name = _UNSAFE.sub("-", bank.slug).strip("-") or "bank"
    return f"{name}.{extension}", MEDIA_TYPES.get(extension, DEFAULT_MEDIA_TYPE)
