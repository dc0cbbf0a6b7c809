"""H5P: choices, statements, texts with gaps and sets of these are read; the rest is named."""

from quizzes.formats.h5p.package import is_h5p, lines
from quizzes.formats.h5p.reading import read

__all__ = ["detect", "extensions", "lines", "name", "read"]

name = "h5p"
extensions = ("h5p",)


def detect(data: bytes, filename: str) -> bool:
    """Return whether it is a package with the metadata of H5P, or one that only ends as such."""
    return is_h5p(data) or (data.startswith(b"PK") and filename.lower().endswith(extensions))
