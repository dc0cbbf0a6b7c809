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
    """Hold the gaps and what each asks for against the rules of their families."""
    return checking.check(content, key, scheme, schemes=schemes)


def present(content: Content, order: Sequence[str]) -> Presented:
    """Give the gaps as they stand in the text, the options of each in the order asked for."""
    return reading.present(name, content, order)
