"""Who may see a file that an author uploaded: by reports, by practice and by cards of study."""

from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from quizzes.bank.models import Media, VersionMedia
from quizzes.lib.errors import NotFound
from quizzes.lib.markup.addresses import media_address
from quizzes.practice.media_access import is_shown_in_practice
from quizzes.practice.models import PracticeQuestion
from quizzes.results import media_access
from quizzes.results.media_access import MediaFile, iterate_reported_texts
from quizzes.study.access import studied_by
from quizzes.study.models import StudyCard
from quizzes.study.selectors import load_card_views, load_settings

CARDS: Final = 10
"""The newest cards with the file that are looked at: what these do not show is not shown."""


def load_media_file(
    *, uuid: UUID, extension: str | None, viewer: User, now: datetime, overseeing: bool = True
) -> MediaFile:
    """Return a file as far as reports, practice or cards show it to this person; else NotFound.

    The arguments are those of reports (results.media_access).
    """
    try:
        return media_access.load_media_file(
            uuid=uuid, extension=extension, viewer=viewer, now=now, overseeing=overseeing
        )
    except NotFound:
        media = _find_learnt(uuid, extension, viewer)
        if media is None or not (
            (media.is_practised and is_shown_in_practice(media, viewer, now))
            or (media.is_studied and _is_on_card(media, viewer, now))
        ):
            raise
        return MediaFile(media.sha256, media.media_type, f"{uuid}.{media.extension}")


def _find_learnt(uuid: UUID, extension: str | None, viewer: User) -> Any:
    """Return the file, and whether this person practises or studies what has it; None: neither."""
    matching = Q(uuid=uuid) if extension is None else Q(uuid=uuid, extension=extension)
    practised = PracticeQuestion.objects.filter(
        learner=viewer, version__files__media=OuterRef("pk")
    )
    studied = studied_by(viewer).filter(
        Q(version__files__media=OuterRef("pk"))
        | Q(version__isnull=True, question__current__files__media=OuterRef("pk"))
    )
    rows = Media.objects.filter(matching)
    rows = rows.annotate(is_practised=Exists(practised), is_studied=Exists(studied))
    return rows.filter(Q(is_practised=True) | Q(is_studied=True)).first()


def _is_on_card(media: Media, viewer: User, now: datetime) -> bool:
    """Return whether a card that they may be asked now shows the file, in any language it has.

    A card comes with its answer, also to a device without a network, so both sides count.
    """
    of_file = VersionMedia.objects.filter(media=media)
    secret_by_version = dict(of_file.values_list("version", "secret"))
    versions = list(secret_by_version)
    of_version = Q(version__in=versions) | Q(version__isnull=True, question__current__in=versions)
    cards = studied_by(viewer).select_related("question__current", "version").order_by("-pk")
    return any(
        _shows(card, secret_by_version, media, viewer, now)
        for card in cards.filter(of_version)[:CARDS]
    )


def _shows(
    card: StudyCard, secret_by_version: dict[int, bool], media: Media, viewer: User, now: datetime
) -> bool:
    version = card.version or card.question.current
    load_in = partial(load_card_views, [card], viewer, load_settings(viewer), now=now)
    views = load_in(language=viewer.language)
    if not views or version is None:
        return False
    if not secret_by_version[version.pk]:
        return True
    address = media_address(media.uuid, media.extension)
    return any(
        address in html
        for language in views[0].languages
        for view in load_in(language=language, asked_in=language)
        for html in iterate_reported_texts(view.report)
    )
