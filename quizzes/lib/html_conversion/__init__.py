"""HTML of other programs becomes our Markdown, and ours becomes HTML for them. Pure."""

from quizzes.lib.html_conversion.blocks import html_to_markdown
from quizzes.lib.html_conversion.conversion_notes import FindMedia, find_no_media
from quizzes.lib.html_conversion.writing import to_html

__all__ = ["FindMedia", "find_no_media", "html_to_markdown", "to_html"]
