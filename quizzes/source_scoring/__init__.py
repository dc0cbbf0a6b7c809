"""What answers earn by the rules of the file that a question came from, and what they earn here.

The rules are read from the file anew, without the readers' code that decides on keys: where the
two disagree about an answer, the difference is listed.
"""

from quizzes.source_scoring.comparison import compare_file

__all__ = ["compare_file"]
