"""Our own bank file (docs/howto/bank-file-format.md): YAML with all languages side by side."""

from quizzes.formats.ochenta.reading import SLUG, detect, extensions, name, read
from quizzes.formats.ochenta.writing import write

__all__ = ["SLUG", "detect", "extensions", "name", "read", "write"]
