"""Our own bank file (docs/howto/bank-file-format.md): YAML with all languages side by side."""

from quizzes.formats.ochenta.reading import SLUG, claims, endings, name, read
from quizzes.formats.ochenta.writing import write

__all__ = ["SLUG", "claims", "endings", "name", "read", "write"]
