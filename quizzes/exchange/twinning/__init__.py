"""Which question of one list is which of another, in two languages or in one: proposals. Pure."""

from quizzes.exchange.twinning.aligning import MOST, PROPOSED, Pair, align
from quizzes.exchange.twinning.reasons import Reason
from quizzes.exchange.twinning.rows import RowPair, pair_rows
from quizzes.exchange.twinning.sides import Line, Side, side

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
