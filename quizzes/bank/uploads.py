"""Files of authors: kept, tied to the versions that show them, let go while nothing does.

The bytes come first, then the row: a row without its file cannot be. A file without a row, left by
whatever was killed between the two, harms nobody and goes with the next sweep.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from typing import BinaryIO, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast

from accounts.models import User
from grading.contract import Problem
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank import blob_store, virus_scanner
from quizzes.bank.access import check_editor
from quizzes.bank.models import Bank, Draft, Media, QuestionVersion, VersionMedia
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.filetypes import UnsupportedFile, detect
from quizzes.lib.markup import MediaReference, media_references

# How long a file without a row is left alone: far longer than any upload takes.
GRACE: Final = timedelta(days=1)
NAME_LENGTH: Final = 200

_NAMED = re.compile(
    r"(?:media:|/media/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.", re.IGNORECASE
)


def save_media(  # noqa: PLR0913  what a file of a bank is made of
    *,
    bank: Bank,
    file: BinaryIO,
    name: str,
    by: User | None,
    uuid: UUID | None = None,
    is_stored: bool = False,
) -> Media:
    """Keep a file in a bank; bytes that are there already: the file that has them.

    `uuid`: the id that a new one is to have, where texts name it already. What is no picture,
    sound or film, or too large: Invalid, its code that of `UnsupportedFile`; so is what the virus
    scanner does not let pass. `is_stored`: by `store_bytes` a moment ago. No editor: NotFound.
    """
    check_editor(by, bank)
    try:
        file_type = detect(file, settings.MEDIA_MAX_BYTES)
    except UnsupportedFile as unfit:
        raise Invalid(unfit.code, **unfit.detail) from unfit
    bytes_ = file if file_type.cleaned is None else BytesIO(file_type.cleaned)
    digest, size = blob_store.measure_digest(bytes_)
    if not (is_stored and blob_store.has_blob(digest)):
        store_bytes([bytes_])
    with transaction.atomic():
        media, is_new = Media.objects.get_or_create(
            bank=bank,
            sha256=digest,
            defaults={
                **({} if uuid is None else {"uuid": uuid}),
                "media_type": file_type.media_type,
                "extension": file_type.extension,
                "size": size,
                "width": file_type.width,
                "height": file_type.height,
                "name": build_label(name),
                "uploaded_by": by,
            },
        )
        if is_new and not is_stored:  # the files of an import are in its own record
            record(AuditCode.BANK_CHANGED, about=bank, by=by, after=_describe(media))
    return media


def _describe(media: Media) -> dict[str, str]:
    return {"file": f"{media.uuid}.{media.extension}"}


def store_bytes(files: Sequence[BinaryIO]) -> None:
    """Scan files, then store their bytes: outside of any transaction where it may take long.

    What the virus scanner does not let pass: Invalid, and nothing is stored. No row names the
    bytes yet; see GRACE.
    """
    for file in files:
        virus_scanner.check_file(file)
    for file in files:
        blob_store.save_blob(file)


def build_label(name: str) -> str:
    """Make a label of what a file was called: no folders, nothing that cannot be seen."""
    last = name.replace("\\", "/").rpartition("/")[2]
    seen = "".join(
        character
        for character in last
        if not unicodedata.category(character).startswith(("C", "Z")) or character == " "
    )
    return seen.strip()[:NAME_LENGTH]


def list_references(item: QuestionDocument) -> Iterator[tuple[str, MediaReference]]:
    """Return every file that the item shows, in the languages in use, with the path of its text."""
    for language in item.languages:
        for where, text in item.iter_texts(language):
            for reference in media_references(text):
                yield where, reference


def find_media_problems(
    *, bank: int, item: QuestionDocument, lock: bool = False
) -> tuple[Problem, ...]:
    """Name the references to files that this bank does not have.

    `lock` keeps the others from being let go until the transaction ends.
    """
    return find_unknown_media(item, available_media(bank=bank, shown_by=[item], lock=lock))


def available_media(
    *, bank: int, shown_by: Iterable[QuestionDocument], lock: bool = False
) -> frozenset[str]:
    """Return the names of those files that the items show and this bank has; one query at most."""
    shown_files = [reference for item in shown_by for _, reference in list_references(item)]
    existing = _known(bank, shown_files, lock=lock) if shown_files else {}
    return frozenset(f"{media.uuid}.{media.extension}" for media in existing.values())


def find_unknown_media(item: QuestionDocument, names: Collection[str]) -> tuple[Problem, ...]:
    """Name the references to files other than these."""
    return tuple(
        Problem(where, "media_unknown", {"line": reference.line, "detail": name})
        for where, reference in list_references(item)
        if (name := f"{reference.uuid}.{reference.extension}") not in names
    )


def _known(
    bank: int, shown_files: Iterable[MediaReference], *, lock: bool = False
) -> dict[UUID, Media]:
    rows = Media.objects.filter(bank=bank, uuid__in={reference.uuid for reference in shown_files})
    return {row.uuid: row for row in (rows.select_for_update() if lock else rows)}


def link_media(*, version: QuestionVersion, item: QuestionDocument) -> None:
    """Hold the files that a version shows, for ever; `find_media_problems` found none before."""
    shown_files = list(list_references(item))
    if not shown_files:
        return
    public = {reference.uuid for where, reference in shown_files if where.startswith("words.")}
    existing = _known(version.question.bank_id, (reference for _, reference in shown_files))
    VersionMedia.objects.bulk_create(
        VersionMedia(version=version, media=media, secret=uuid not in public)
        for uuid, media in existing.items()
    )


@dataclass(frozen=True, slots=True)
class MediaUses:
    """Where a file is shown: in how many published versions, and in which drafts."""

    versions: int
    drafts: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.versions or self.drafts)


def load_media_uses(*, bank: Bank, files: Iterable[Media]) -> Mapping[int, MediaUses]:
    """Return where files of a bank are shown, by primary key; two queries for all of them."""
    listed = list(files)
    versions: dict[int, int] = {}
    for media in VersionMedia.objects.filter(media__in=listed).values_list("media", flat=True):
        versions[media] = versions.get(media, 0) + 1
    drafts = _named_in_drafts(bank)
    return {
        media.pk: MediaUses(
            versions.get(media.pk, 0), tuple(sorted(drafts.get(str(media.uuid), ())))
        )
        for media in listed
    }


def _named_in_drafts(bank: Bank) -> dict[str, set[str]]:
    """Return the names of questions by the files that their drafts name, of whatever language."""
    rows = (
        Draft.objects.filter(question__bank=bank)
        .annotate(text=Cast("data", TextField()))
        .filter(text__icontains="media")
        .values_list("question__name", "text")
    )
    names: dict[str, set[str]] = {}
    for name, text in rows:
        for uuid in _NAMED.findall(text):
            names.setdefault(uuid.lower(), set()).add(name)
    return names


@transaction.atomic
def delete_media(*, media: Media, by: User | None) -> None:
    """Let a file go; while a version or a draft shows it: Conflict, and it stays.

    No editor of the bank: NotFound.
    """
    media = Media.objects.select_for_update().select_related("bank").get(pk=media.pk)
    check_editor(by, media.bank)
    current_uses = load_media_uses(bank=media.bank, files=[media])[media.pk]
    if current_uses:
        raise Conflict("media_in_use", versions=current_uses.versions, drafts=current_uses.drafts)
    record(AuditCode.BANK_CHANGED, about=media.bank, by=by, before=_describe(media))
    media.delete()


def sweep(*, now: datetime) -> int:
    """Delete the files that no row names and nobody saved lately; return how many went."""
    before, gone = now - GRACE, 0
    for digest in blob_store.find_stale_blobs(before):
        named = Media.objects.filter(sha256=digest)
        gone += blob_store.delete_stale_blob(digest, before=before, is_named=named.exists)
    return gone
