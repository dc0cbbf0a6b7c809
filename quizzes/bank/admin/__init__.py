"""Authoring questions: importing this package puts its pages into the admin."""

from quizzes.bank.admin.banks import BankAdmin
from quizzes.bank.admin.questions import QuestionAdmin

__all__ = ["BankAdmin", "QuestionAdmin"]
