"""Building questions of our kinds from what a file says: one function a kind. Pure.

Readers of formats say what they found; which scoring method, which table and which text that is,
is known here alone.
"""

from quizzes.formats.builders.choice import Option, choice, infer_scoring_method, true_false
from quizzes.formats.builders.cloze import Gap, cloze
from quizzes.formats.builders.feedback import with_bands, with_feedback
from quizzes.formats.builders.heads import Head
from quizzes.formats.builders.ordering import matching, ordering
from quizzes.formats.builders.text_entry import (
    Accepted,
    Number,
    essay,
    flashcard,
    literal,
    numeric,
    short_text,
)

__all__ = [
    "Accepted",
    "Gap",
    "Head",
    "Number",
    "Option",
    "choice",
    "cloze",
    "essay",
    "flashcard",
    "infer_scoring_method",
    "literal",
    "matching",
    "numeric",
    "ordering",
    "short_text",
    "true_false",
    "with_bands",
    "with_feedback",
]
