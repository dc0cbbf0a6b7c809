"""Attempts and results, to read, and answers to mark: importing this puts their pages in place."""

from quizzes.results.admin.attempts import AttemptAdmin
from quizzes.results.admin.marking import MarkingAdmin
from quizzes.results.admin.written import WrittenAdmin

__all__ = ["AttemptAdmin", "MarkingAdmin", "WrittenAdmin"]
