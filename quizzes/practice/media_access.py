"""Who may see a file that an author uploaded: also who practises the question that shows it."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Q, QuerySet

from accounts.models import User
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.markup.addresses import media_address
from quizzes.practice.access import find_practice
from quizzes.practice.models import PracticeQuestion
from quizzes.practice.selectors import load_practice
from quizzes.results import media_access
from quizzes.results.media_access import MediaFile, iterate_reported_texts

QUESTIONS: Final = 10
"""The newest questions with the file that are looked at: what these do not show is not shown."""


def load_media_file(
    *, uuid: UUID, extension: str | None, viewer: User, now: datetime, overseeing: bool = True
) -> MediaFile:
    """Return a file as far as reports or practice show it to this person now; else NotFound.

    The arguments are those of reports (results.media_access).
    """
    try:
        return media_access.load_media_file(
            uuid=uuid, extension=extension, viewer=viewer, now=now, overseeing=overseeing
        )
    except NotFound:
        for row in _list_practised(uuid, extension, viewer)[:QUESTIONS]:
            if _may_practise(row, viewer, now) and _shows(row, viewer, uuid, now):
                return MediaFile(row.sha256, row.media_type, f"{uuid}.{row.extension}")
        raise


def _list_practised(uuid: UUID, extension: str | None, viewer: User) -> QuerySet[Any]:
    """Return the practised questions of one's own that have the file, the newest first."""
    has_file = Q(version__files__media__uuid=uuid)
    if extension is not None:
        has_file &= Q(version__files__media__extension=extension)
    return (
        PracticeQuestion.objects.filter(has_file, learner=viewer)
        .select_related("version__question", "quiz")
        .annotate(
            sha256=F("version__files__media__sha256"),
            media_type=F("version__files__media__media_type"),
            extension=F("version__files__media__extension"),
            secret=F("version__files__secret"),
        )
        .order_by("secret", "-pk")
    )


def _may_practise(row: PracticeQuestion, viewer: User, now: datetime) -> bool:
    try:
        find_practice(viewer, row.quiz.uuid, now)
    except (NotFound, Refused):
        return False
    return True


def _shows(row: Any, viewer: User, uuid: UUID, now: datetime) -> bool:
    """Return whether the page of a practised question shows the file, in any language it has."""
    if not row.secret:
        return True
    address = media_address(uuid, row.extension)
    return any(
        address in html
        for language in load_keys_and_feedback([row.version.uuid])[row.version.uuid].feedback
        for html in iterate_reported_texts(load_practice(row, viewer, language, now).report)
    )
