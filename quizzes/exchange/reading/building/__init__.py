"""Building questions of our kinds from what a file says: one function a kind. Pure.

Readers of formats say what they found; which scoring method, which table and which text that is,
is known here alone.
"""

from quizzes.exchange.reading.building.arranged import matching, ordering
from quizzes.exchange.reading.building.choices import (
    Option,
    choice,
    infer_scoring_method,
    true_false,
)
from quizzes.exchange.reading.building.gaps import Gap, cloze
from quizzes.exchange.reading.building.heads import Head
from quizzes.exchange.reading.building.remarks import with_bands, with_feedback
from quizzes.exchange.reading.building.written import (
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
