"""The files that a parcel brought, under the names that its bank gives them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from uuid import UUID, uuid5

from django.conf import settings

from accounts.models import User
from quizzes.bank import uploads
from quizzes.bank.models import Bank, Media
from quizzes.formats.contract import FieldTexts, ParsedFile, ParsedRow, SourceItem
from quizzes.lib.filetypes import UnsupportedFile, detect

_NAMED = re.compile(r"media:([^\s()<>\"]+)")

MediaNames = Mapping[str, str]
"""What a parcel calls a file → what the bank does."""


@dataclass(frozen=True, slots=True)
class ImportableMedia:
    """A file that pages can show: what the parcel calls it, what the bank will, its bytes.

    Its id follows from bank and bytes, so that a preview and the import that it is of agree.
    """

    archive_name: str
    uuid: UUID
    extension: str
    data: bytes
    in_bank: bool

    @property
    def name(self) -> str:
        """What the bank calls it, or will."""
        return f"{self.uuid}.{self.extension}"


def importable_media(*, bank: Bank, parcel: ParsedFile) -> tuple[ImportableMedia, ...]:
    """Give the parcel's files as the bank would keep them; writes nothing.

    What is no picture, sound or film is left out: questions that show it have a problem.
    """
    fit = list(_fit(bank, parcel))
    files = Media.objects.filter(bank=bank, sha256__in={digest for digest, _ in fit})
    existing = dict(files.values_list("sha256", "uuid")) if fit else {}
    return tuple(
        replace(media, uuid=existing[digest], in_bank=True) if digest in existing else media
        for digest, media in fit
    )


def _fit(bank: Bank, parcel: ParsedFile) -> Iterator[tuple[str, ImportableMedia]]:
    """Give what pages can show, each with the digest under which the bank would keep it."""
    for called, data in parcel.media.items():
        try:
            detected = detect(BytesIO(data), settings.MEDIA_MAX_BYTES)
        except UnsupportedFile:
            continue
        content = data if detected.cleaned is None else detected.cleaned
        digest = sha256(content).hexdigest()
        yield (
            digest,
            ImportableMedia(
                called, uuid5(bank.uuid, digest), detected.extension, content, in_bank=False
            ),
        )


def media_names(files: Iterable[ImportableMedia]) -> MediaNames:
    """Give what the bank calls each of them, or will."""
    return {file.archive_name: file.name for file in files}


def save_media(*, bank: Bank, parcel: ParsedFile, by: User | None) -> MediaNames:
    """Keep the parcel's files in the bank; give each the name that it has there."""
    files = importable_media(bank=bank, parcel=parcel)
    for file in files:
        if not file.in_bank:
            uploads.save_media(
                bank=bank, file=BytesIO(file.data), name=file.archive_name, by=by, uuid=file.uuid
            )
    return media_names(files)


def rename_media(source_item: SourceItem, names: MediaNames) -> SourceItem:
    """Call files by their names in the bank, in every text of an item."""
    if source_item.question is None or not names:
        return source_item
    tables = {
        name: tuple(_row(row, names) for row in rows)
        for name, rows in source_item.question.tables.items()
    }
    texts = _said(source_item.question.texts, names)
    return replace(source_item, question=replace(source_item.question, texts=texts, tables=tables))


def _row(row: ParsedRow, names: MediaNames) -> ParsedRow:
    return replace(row, texts=_said(row.texts, names))


def _said(field_texts: FieldTexts, names: MediaNames) -> FieldTexts:
    def call(match: re.Match[str]) -> str:
        return f"media:{names.get(match[1], match[1])}"

    return {
        text: {language: _NAMED.sub(call, content) for language, content in texts.items()}
        for text, texts in field_texts.items()
    }
