"""Packages of Anki: notes of any of its schemas are read, and cards are written for it."""

from quizzes.formats.apkg.package import has_collection
from quizzes.formats.apkg.reader import lines, read
from quizzes.formats.apkg.writer import write

__all__ = ["detect", "extensions", "lines", "name", "read", "write"]

name = "anki-apkg"
extensions = ("apkg", "colpkg")


def detect(data: bytes, filename: str) -> bool:
    """Return whether there is a collection in it; of one that cannot be opened, by its name."""
    return has_collection(data) or (
        data.startswith(b"PK") and filename.lower().endswith(extensions)
    )
