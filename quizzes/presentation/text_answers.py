"""A typed text as people read it again: how a number was understood, and blanks that count."""

import re
from collections.abc import Mapping
from typing import Any

from grading.json_types import Content
from grading.short_text.structure import parse_folding
from quizzes.presentation.number_questions import answer_with_reading, format_correct_answer

BLANK = "\N{OPEN BOX}"
"""Stands for a blank that counts where nobody would see it: at an end, or beside another."""

_UNSEEN_BLANKS = re.compile(r"^\s+|\s+$|\s{2,}")


def mark_blanks(text: str, comparison: Content) -> str:
    """Return a text with its blanks visible, where the comparison counts those at the ends."""
    if not parse_folding(comparison)[0].has_counted_ends:
        return text
    return _UNSEEN_BLANKS.sub(lambda match: BLANK * len(match[0]), text)


def format_text_answer(answer: Mapping[str, Any], comparison: Content, language: str) -> str:
    """Return what was typed, and how it was read where that is open."""
    return mark_blanks(answer_with_reading(answer, language), comparison)


def format_text_solution(solution: Mapping[str, Any], comparison: Content, language: str) -> str:
    """Return a correct text, a number as the reader writes it."""
    if "number" in solution:
        return format_correct_answer(solution, language)
    return mark_blanks(str(solution["text"]), comparison)
