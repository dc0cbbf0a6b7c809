"""Imports in the admin, and the twins of a bank."""

from quizzes.imports.admin.imports import ImportJobAdmin
from quizzes.imports.admin.pairings import PairingAdmin

__all__ = ["ImportJobAdmin", "PairingAdmin"]
