"""Imports in the admin, and the twins of a bank."""

from quizzes.exchange.admin.imports import ImportJobAdmin
from quizzes.exchange.admin.pairings import PairingAdmin

__all__ = ["ImportJobAdmin", "PairingAdmin"]
