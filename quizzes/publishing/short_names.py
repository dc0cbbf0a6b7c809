"""Short names of quizzes that nobody has to think up, and that no two quizzes have."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from django.utils.text import slugify

from quizzes.lib.errors import Invalid
from quizzes.publishing.models import Quiz

MAX_STEM: Final = 90
"""Characters, so that there is room for a number."""
MAX_TRIES: Final = 10

Written = TypeVar("Written")


class ShortNameTaken(Invalid):
    """Another quiz has the short name, perhaps since a moment ago."""

    code = "slug_taken"


def suggest_short_name(text: str) -> str:
    """Return a short name that is free, made of a title or of another short name."""
    stem = slugify(text)[:MAX_STEM].strip("-_") or "quiz"
    short_name, number = stem, 2
    while Quiz.objects.filter(slug=short_name).exists():
        short_name = f"{stem}-{number}"
        number += 1
    return short_name


def retry_taken(write: Callable[[], Written]) -> Written:
    """Return what `write` returns, called anew where somebody took its short name meanwhile.

    It looks up anew what is free, and leaves nothing behind where it raises ShortNameTaken; that
    is raised where each of MAX_TRIES calls did.
    """
    for _ in range(MAX_TRIES - 1):
        with suppress(ShortNameTaken):
            return write()
    return write()
