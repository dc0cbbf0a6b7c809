"""Attempts and results, to read: importing this package puts their pages into the admin."""

from quizzes.results.admin.attempts import AttemptAdmin

__all__ = ["AttemptAdmin"]
