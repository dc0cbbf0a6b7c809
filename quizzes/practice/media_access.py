"""Whether a practised question shows a file that an author uploaded."""

from datetime import datetime
from typing import Any, Final

from django.db.models import F

from accounts.models import User
from quizzes.bank.models import Media
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.markup.addresses import media_address
from quizzes.practice.access import find_practice_quiz
from quizzes.practice.models import PracticeQuestion
from quizzes.practice.selectors import load_practice
from quizzes.results.media_access import iterate_reported_texts

QUESTIONS: Final = 10
"""The newest questions with the file that are looked at: what these do not show is not shown."""


def is_shown_in_practice(media: Media, viewer: User, now: datetime) -> bool:
    """Return whether a question that this person may practise now shows the file."""
    practised = (
        PracticeQuestion.objects.filter(version__files__media=media, learner=viewer)
        .select_related("version__question", "quiz")
        .annotate(secret=F("version__files__secret"))
    )
    return any(
        _may_practise(row, viewer, now) and _shows(row, viewer, media, now)
        for row in practised.order_by("secret", "-pk")[:QUESTIONS]
    )


def _may_practise(row: PracticeQuestion, viewer: User, now: datetime) -> bool:
    try:
        find_practice_quiz(viewer, row.quiz.uuid, now)
    except (NotFound, Refused):
        return False
    return True


def _shows(row: Any, viewer: User, media: Media, now: datetime) -> bool:
    """Return whether the page of a practised question shows the file, in any language it has."""
    if not row.secret:
        return True
    address = media_address(media.uuid, media.extension)
    return any(
        address in html
        for language in load_keys_and_feedback([row.version.uuid])[row.version.uuid].feedback
        for html in iterate_reported_texts(load_practice(row, viewer, language, now).report)
    )
