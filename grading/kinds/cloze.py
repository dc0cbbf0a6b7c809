"""A text with gaps: words to choose, words to write and numbers, each gap with its own points."""

from collections.abc import Sequence

from grading.contract import Content, Key, Presented, Problem
from grading.gaps import checking, marking, reading
from grading.gaps.shape import CLOZE

name = "cloze"
scoring_methods: tuple[str, ...] = marking.SCORING_METHODS
shape = CLOZE

orderable = reading.orderable
read = reading.read
mark = marking.mark
solution = marking.model_answer


def check(content: Content, key: Key, scoring_method: str) -> tuple[Problem, ...]:
    """Check the gaps and their rows against the rules of each family."""
    return checking.check(content, key, scoring_method, scoring_methods=scoring_methods)


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return the gaps in the author's order, the options of each in the order asked for."""
    return reading.present(name, content, order)
