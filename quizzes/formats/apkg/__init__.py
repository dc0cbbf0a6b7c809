"""Packages of Anki: notes of any of its schemas are read, and cards are written for it."""

from quizzes.formats.apkg.package import holds
from quizzes.formats.apkg.reading import lines, read
from quizzes.formats.apkg.writing import write

__all__ = ["detect", "extensions", "lines", "name", "read", "write"]

name = "anki-apkg"
extensions = ("apkg", "colpkg")


def detect(data: bytes, filename: str) -> bool:
    """Tell a package by the collection in it; one that cannot be opened, by its name."""
    return holds(data) or (data.startswith(b"PK") and filename.lower().endswith(extensions))
