"""The checks of a whole bank: what is worth a look in it, and what was found to be meant so."""

from quizzes.bank.checks.building import build
from quizzes.bank.checks.reading import checks
from quizzes.bank.checks.values import Checks, Meant, Of, Score, Told

__all__ = ["Checks", "Meant", "Of", "Score", "Told", "build", "checks"]
