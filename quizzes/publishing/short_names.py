"""Short names of quizzes that nobody has to think up."""

from typing import Final

from django.utils.text import slugify

from quizzes.publishing.models import Quiz

MAX_STEM: Final = 90
"""Characters, so that there is room for a number."""


def suggest_short_name(text: str) -> str:
    """Return a short name that is free, made of a title or of another short name."""
    stem = slugify(text)[:MAX_STEM].strip("-_") or "quiz"
    short_name, number = stem, 2
    while Quiz.objects.filter(slug=short_name).exists():
        short_name = f"{stem}-{number}"
        number += 1
    return short_name
