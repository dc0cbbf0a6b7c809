"""The author's Markdown, code and TeX become safe HTML, plain text, or a list of warnings."""

from quizzes.lib.markup.extracts import Fragments, fragments, plain
from quizzes.lib.markup.gaps import missing, render_with_gaps
from quizzes.lib.markup.media import MediaReference, media_references, media_warnings
from quizzes.lib.markup.parser import MAX_CHARACTERS, MarkupTooLarge
from quizzes.lib.markup.renderer import render
from quizzes.lib.markup.warnings import MarkupWarning, MarkupWarningCode, markup_warnings

__all__ = [
    "MAX_CHARACTERS",
    "Fragments",
    "MarkupTooLarge",
    "MarkupWarning",
    "MarkupWarningCode",
    "MediaReference",
    "fragments",
    "markup_warnings",
    "media_references",
    "media_warnings",
    "missing",
    "plain",
    "render",
    "render_with_gaps",
]
