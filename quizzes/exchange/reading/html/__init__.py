"""HTML of other programs becomes our Markdown, and ours becomes HTML for them. Pure."""

from quizzes.exchange.reading.html.blocks import to_markdown
from quizzes.exchange.reading.html.telling import Media
from quizzes.exchange.reading.html.writing import to_html

__all__ = ["Media", "to_html", "to_markdown"]
