"""The media of a file to import, under the names that they have in the bank."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from uuid import UUID, uuid5

from django.conf import settings

from accounts.models import User
from quizzes.bank import uploads
from quizzes.bank.models import Bank, Media
from quizzes.formats.contract import FieldTexts, ParsedFile, SourceItem
from quizzes.lib.filetypes import UnsupportedFile, detect

_MEDIA = re.compile(r"media:([^\s()<>\"]+)")

MediaNames = Mapping[str, str]
"""Name in the file → name in the bank."""


@dataclass(frozen=True, slots=True)
class ImportableMedia:
    """A picture, sound or film of a file, with its name there, its id in the bank, its bytes.

    The id follows from bank and bytes, so that a preview and its import agree.
    """

    archive_name: str
    uuid: UUID
    extension: str
    data: bytes
    in_bank: bool

    @property
    def name(self) -> str:
        """Its name in the bank, now or once it is saved."""
        return f"{self.uuid}.{self.extension}"


def importable_media(*, bank: Bank, parsed_file: ParsedFile) -> tuple[ImportableMedia, ...]:
    """Return the file's media as the bank would save them; writes nothing.

    What is no picture, sound or film is left out: questions that show it have a problem.
    """
    media_by_digest = list(_iter_media(bank, parsed_file))
    digests = {digest for digest, _ in media_by_digest}
    files = Media.objects.filter(bank=bank, sha256__in=digests)
    existing = dict(files.values_list("sha256", "uuid")) if digests else {}
    return tuple(
        replace(media, uuid=existing[digest], in_bank=True) if digest in existing else media
        for digest, media in media_by_digest
    )


def _iter_media(bank: Bank, parsed_file: ParsedFile) -> Iterator[tuple[str, ImportableMedia]]:
    """Yield what pages can show, each with the digest under which the bank would save it."""
    for archive_name, data in parsed_file.media.items():
        try:
            detected = detect(BytesIO(data), settings.MEDIA_MAX_BYTES)
        except UnsupportedFile:
            continue
        content = data if detected.cleaned is None else detected.cleaned
        digest = sha256(content).hexdigest()
        yield (
            digest,
            ImportableMedia(
                archive_name, uuid5(bank.uuid, digest), detected.extension, content, in_bank=False
            ),
        )


def find_media_names(*, bank: Bank, parsed_file: ParsedFile) -> MediaNames:
    """Return the name of each file in the bank, now or once it is saved; writes nothing."""
    files = importable_media(bank=bank, parsed_file=parsed_file)
    return {file.archive_name: file.name for file in files}


def store_media(*, bank: Bank, parsed_file: ParsedFile) -> None:
    """Scan and store the bytes of what the bank has not, outside of any transaction.

    What the virus scanner does not let pass: Invalid.
    """
    files = importable_media(bank=bank, parsed_file=parsed_file)
    uploads.store_bytes([BytesIO(file.data) for file in files if not file.in_bank])


def save_media(*, bank: Bank, parsed_file: ParsedFile, by: User | None) -> MediaNames:
    """Save the file's media, stored before, in the bank; return the name that each has there."""
    files = importable_media(bank=bank, parsed_file=parsed_file)
    for file in files:
        if not file.in_bank:
            uploads.save_media(
                bank=bank,
                file=BytesIO(file.data),
                name=file.archive_name,
                by=by,
                uuid=file.uuid,
                is_stored=True,
            )
    return {file.archive_name: file.name for file in files}


def rename_all_media(parsed_file: ParsedFile, names: MediaNames) -> list[SourceItem]:
    """Return the items of a file; their texts call media by their names in the bank."""
    return [_rename_media(source_item, names) for source_item in parsed_file.items]


def _rename_media(source_item: SourceItem, names: MediaNames) -> SourceItem:
    question = source_item.question
    if question is None or not names:
        return source_item
    tables = {
        name: tuple(replace(row, texts=_rename_in_texts(row.texts, names)) for row in rows)
        for name, rows in question.tables.items()
    }
    texts = _rename_in_texts(question.texts, names)
    return replace(source_item, question=replace(question, texts=texts, tables=tables))


def _rename_in_texts(field_texts: FieldTexts, names: MediaNames) -> FieldTexts:
    def rename(match: re.Match[str]) -> str:
        return f"media:{names.get(match[1], match[1])}"

    return {
        text: {language: _MEDIA.sub(rename, content) for language, content in texts.items()}
        for text, texts in field_texts.items()
    }
