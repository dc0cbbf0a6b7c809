"""A text with gaps: words to choose, words to write and numbers, each gap with its own points."""

from collections.abc import Sequence

from grading.contract import Content, Key, Presented, Problem
from grading.gaps import checking, marking, reading
from grading.gaps.shape import CLOZE

name = "cloze"
schemes: tuple[str, ...] = marking.SCHEMES
shape = CLOZE

orderable = reading.orderable
read = reading.read
mark = marking.mark
solution = marking.model_answer


def check(content: Content, key: Key, scheme: str) -> tuple[Problem, ...]:
    """Check the gaps and their rows against the rules of each family."""
    return checking.check(content, key, scheme, schemes=schemes)


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return the gaps in the author's order, the options of each in the order asked for."""
    return reading.present(name, content, order)
