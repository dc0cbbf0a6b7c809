"""Which question of one list is which of another, in two languages or in one: proposals. Pure."""

from quizzes.matching.comparable import Line, Side, side
from quizzes.matching.question_pairing import MOST, PROPOSED, Pair, align
from quizzes.matching.reasons import Reason
from quizzes.matching.row_pairing import RowPair, pair_rows

__all__ = [
    "MOST",
    "PROPOSED",
    "Line",
    "Pair",
    "Reason",
    "RowPair",
    "Side",
    "align",
    "pair_rows",
    "side",
]
