"""HTML of other programs becomes our Markdown, and ours becomes HTML for them. Pure."""

from quizzes.formats.html.blocks import to_markdown
from quizzes.formats.html.conversion_notes import FindMedia
from quizzes.formats.html.writing import to_html

__all__ = ["FindMedia", "to_html", "to_markdown"]
