"""Which question of one list is which of another, in two languages or in one: proposals. Pure."""

from quizzes.matching.comparable import ComparableQuestion, ComparableRow, to_comparable
from quizzes.matching.question_pairing import (
    MAX_QUESTIONS,
    MIN_CONFIDENCE,
    QuestionPair,
    pair_questions,
)
from quizzes.matching.reasons import Reason
from quizzes.matching.row_pairing import RowPair, pair_rows

__all__ = [
    "MAX_QUESTIONS",
    "MIN_CONFIDENCE",
    "ComparableQuestion",
    "ComparableRow",
    "QuestionPair",
    "Reason",
    "RowPair",
    "pair_questions",
    "pair_rows",
    "to_comparable",
]
