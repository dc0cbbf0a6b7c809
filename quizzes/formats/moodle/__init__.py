"""Moodle XML: the bank file of Moodle, read item by item and written as it reads it."""

from quizzes.formats.moodle.reading import detect, read
from quizzes.formats.moodle.writing import write

__all__ = ["detect", "extensions", "name", "read", "write"]

name = "moodle-xml"
extensions = ("xml",)
