"""Which items of a file a bank may have in another language, or has in the same: proposals.

And what persons said of such proposals before, so that a file is understood as it was then.
"""

from quizzes.exchange.twins.answering import NO_ANSWERS, Answers, is_safe, joined, words
from quizzes.exchange.twins.kept import Kept, kept
from quizzes.exchange.twins.memory import Word, remember
from quizzes.exchange.twins.proposing import Proposals, propose
from quizzes.exchange.twins.uniting import Two, keep_apart, seek, unite

__all__ = [
    "NO_ANSWERS",
    "Answers",
    "Kept",
    "Proposals",
    "Two",
    "Word",
    "is_safe",
    "joined",
    "keep_apart",
    "kept",
    "propose",
    "remember",
    "seek",
    "unite",
    "words",
]
