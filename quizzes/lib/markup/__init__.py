"""The author's Markdown, code and TeX become safe HTML, plain text, or a list of problems."""

from quizzes.lib.markup.extracts import Fragments, fragments, plain
from quizzes.lib.markup.gaps import missing, render_with_gaps
from quizzes.lib.markup.media import Reference, media_of, media_problems
from quizzes.lib.markup.parser import MAX_CHARACTERS, MarkupTooLarge
from quizzes.lib.markup.renderer import render
from quizzes.lib.markup.warnings import Problem, ProblemCode, problems

__all__ = [
    "MAX_CHARACTERS",
    "Fragments",
    "MarkupTooLarge",
    "Problem",
    "ProblemCode",
    "Reference",
    "fragments",
    "media_of",
    "media_problems",
    "missing",
    "plain",
    "problems",
    "render",
    "render_with_gaps",
]
