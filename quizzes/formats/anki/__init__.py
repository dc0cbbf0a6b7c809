"""What notes of Anki are written in beyond HTML, however they were exported. Pure."""

from quizzes.formats.anki.cards import CardSides, build_question, read_card_texts
from quizzes.formats.anki.fields import FieldReader, parse_tags, read_words

__all__ = [
    "CardSides",
    "FieldReader",
    "build_question",
    "parse_tags",
    "read_card_texts",
    "read_words",
]
