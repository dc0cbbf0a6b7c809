"""Imports in the admin: a file is sent, shown as it would be, chosen from, brought in."""

from quizzes.exchange.admin.imports import ImportJobAdmin

__all__ = ["ImportJobAdmin"]
