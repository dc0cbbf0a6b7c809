"""Which items of a file a bank may have in another language, or has in the same: proposals.

And what persons said of such proposals before, so that a file is understood as it was then.
"""

from quizzes.imports.twins.answering import NO_ANSWERS, Answers, is_safe, joined, words
from quizzes.imports.twins.kept import Kept, kept
from quizzes.imports.twins.memory import Word, remember
from quizzes.imports.twins.proposing import Proposals, propose
from quizzes.imports.twins.uniting import Two, keep_apart, seek, unite

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
