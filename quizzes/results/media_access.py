"""Who may see a file that an author uploaded: whoever may see the words that show it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, F, Q, QuerySet, When, Window
from django.db.models.functions import RowNumber

from accounts.access import is_overseer
from accounts.models import User
from quizzes.attempts.access import supervised_by
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.selectors import parse_manifest
from quizzes.bank.models import Media
from quizzes.bank.selectors import RenderedFeedback, load_keys_and_feedback
from quizzes.lib.errors import NotFound
from quizzes.lib.markup.addresses import media_address
from quizzes.results.attempt_report import QuestionReport
from quizzes.results.selectors import load_report


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A file that may be seen, as an interface sends it; `digest` is its place in the store."""

    digest: str
    media_type: str
    name: str


# Whoever tried a practice quiz a thousand times is not asked about a thousand reports: what the
# newest ten do not show is not shown.
REPORTS: Final = 10

ORDER: Final = ("secret", "-started_at")
"""Words that are asked come before those that reports show; the newest first."""

_FILE: Final = "quiz_version__items__candidates__version__files"


def load_media_file(
    *, uuid: UUID, extension: str | None, viewer: User, now: datetime, overseeing: bool = True
) -> MediaFile:
    """Return a file as far as this person may see it now; not there or not theirs: NotFound.

    Authors see the files of banks they may read; learners those in the words of what they were
    asked, whatever became of the attempt, and those of feedback once a report of theirs shows it;
    who oversees an attempt sees all of it. For takers of the words: one query. Without an
    extension, any; without `overseeing`, as a learner alone.
    """
    matching = Q(uuid=uuid) if extension is None else Q(uuid=uuid, extension=extension)
    teaching = overseeing and is_overseer(viewer)
    if teaching:
        banks = banks_whose_keys_are_visible_to(viewer)
        media = Media.objects.filter(matching, bank__in=banks).first()
        if media is not None:
            return MediaFile(media.sha256, media.media_type, f"{uuid}.{media.extension}")
    for row in _list_own(viewer, uuid, extension):
        if _shows(row, viewer, uuid, now):
            return MediaFile(row.sha256, row.media_type, f"{uuid}.{row.extension}")
    if teaching:
        for row in _attempts(supervised_by(viewer), uuid, extension)[:1]:
            return MediaFile(row.sha256, row.media_type, f"{uuid}.{row.extension}")
    raise NotFound


def _list_own(viewer: User, uuid: UUID, extension: str | None) -> QuerySet[Any]:
    """Return one's own attempts with the file, then those of guests whose results one keeps.

    However many there are of the one, none of the other is left out.
    """
    is_own = Q(learner=viewer)
    guests = User.objects.filter(kept_by=viewer).order_by()
    rows: QuerySet[Any] = _attempts(is_own | Q(learner__in_array=guests), uuid, extension)
    rows = rows.annotate(is_guest=Case(When(is_own, then=0), default=1))
    place = Window(RowNumber(), partition_by="is_guest", order_by=ORDER)
    rows = rows.annotate(place=place).filter(place__lte=2 * REPORTS)
    return rows.order_by("is_guest", *ORDER)


def _attempts(whose: Q, uuid: UUID, extension: str | None) -> QuerySet[Any]:
    """Return the attempts on quiz versions that may ask a version which shows the file."""
    shows_file = Q(**{f"{_FILE}__media__uuid": uuid})
    if extension is not None:
        shows_file &= Q(**{f"{_FILE}__media__extension": extension})
    return (
        Attempt.objects.filter(whose, shows_file)
        .annotate(
            sha256=F(f"{_FILE}__media__sha256"),
            media_type=F(f"{_FILE}__media__media_type"),
            extension=F(f"{_FILE}__media__extension"),
            secret=F(f"{_FILE}__secret"),
            version=F("quiz_version__items__candidates__version__uuid"),
        )
        .order_by(*ORDER)
    )


def _shows(row: Any, viewer: User, uuid: UUID, now: datetime) -> bool:
    """Return whether an attempt of one's own shows the file: it was drawn, and may be seen."""
    manifest = parse_manifest(row)
    if not isinstance(manifest, Manifest):
        return False
    if row.version not in {slot.version for slot in manifest.slots}:
        return False
    if not row.secret:
        return True
    return row.state == State.GRADED and _is_reported(
        row, viewer, media_address(uuid, row.extension), now
    )


def _is_reported(row: Any, viewer: User, address: str, now: datetime) -> bool:
    """Return whether the report on this attempt shows the file now, in any language it has.

    The report itself decides: what it leaves out is not shown, for whatever reason.
    """
    texts_by_language = load_keys_and_feedback([row.version])[row.version].feedback
    return any(
        address in html
        for language, texts in texts_by_language.items()
        if address in _all_texts(texts)
        for item in load_report(
            attempt=row.uuid, viewer=viewer, language=language, now=now
        ).questions
        if item.manifest_slot.version == row.version
        for html in iterate_reported_texts(item)
    )


def _all_texts(texts: RenderedFeedback) -> str:
    """Return all texts of a language, to skip its report if none of them names the file."""
    rows = (html for part in texts.parts.values() for html in part.values())
    return "".join((*texts.texts.values(), *rows))


def iterate_reported_texts(item: QuestionReport) -> Iterator[str]:
    """Yield every text of a report on one question, apart from the question itself."""
    yield item.explanation
    yield item.reading_link
    yield from item.hints
    yield from item.feedback.values()
    yield from item.remarks
