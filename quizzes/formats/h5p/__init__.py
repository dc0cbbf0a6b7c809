"""H5P: choices, statements, texts with gaps and sets of these are read; the rest is named."""

from quizzes.formats.h5p.package import holds, lines
from quizzes.formats.h5p.reading import read

__all__ = ["detect", "extensions", "lines", "name", "read"]

name = "h5p"
extensions = ("h5p",)


def detect(data: bytes, filename: str) -> bool:
    """Tell a package by the document about it; one that cannot be opened, by its name."""
    return holds(data) or (data.startswith(b"PK") and filename.lower().endswith(extensions))
