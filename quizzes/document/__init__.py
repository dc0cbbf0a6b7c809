"""QuestionDocument: one question as one plain value, for every layer above. Pure."""

from quizzes.document.problems import find_problems, find_warnings
from quizzes.document.question import QuestionDocument, Words, compute_digest

__all__ = ["QuestionDocument", "Words", "compute_digest", "find_problems", "find_warnings"]
