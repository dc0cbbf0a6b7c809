"""What notes of Anki are written in beyond HTML, however they were exported. Pure."""

from quizzes.formats.anki.fields import spoken, tags, words
from quizzes.formats.anki.sides import Sides, question_of

__all__ = ["Sides", "question_of", "spoken", "tags", "words"]
