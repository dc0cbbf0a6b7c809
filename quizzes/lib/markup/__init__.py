"""The author's Markdown, code and TeX become safe HTML, plain text, or a list of problems."""

from quizzes.lib.markup.extracts import Fragments, fragments, plain
from quizzes.lib.markup.gaps import missing, render_with_gaps
from quizzes.lib.markup.lints import Problem, ProblemCode, problems
from quizzes.lib.markup.reader import MAX_CHARACTERS, MarkupTooLarge
from quizzes.lib.markup.renderer import render

__all__ = [
    "MAX_CHARACTERS",
    "Fragments",
    "MarkupTooLarge",
    "Problem",
    "ProblemCode",
    "fragments",
    "missing",
    "plain",
    "problems",
    "render",
    "render_with_gaps",
]
