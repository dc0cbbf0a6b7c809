"""What writers share: reading a question, warnings of what is left out, XML elements. Pure."""

from quizzes.formats.export.tracker import (
    ExportRefused,
    ExportTracker,
    QuestionExporter,
    indent_below,
)

__all__ = ["ExportRefused", "ExportTracker", "QuestionExporter", "indent_below"]
