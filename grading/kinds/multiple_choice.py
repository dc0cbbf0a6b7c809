"""Any number of options may be right, none included where that is offered; any may be chosen."""

from collections.abc import Sequence

from grading.choice import checking, marking, reading
from grading.choice.shape import CHOICE
from grading.contract import Answer, Content, Json, Key, Presented, Problem, Unreadable
from grading.partial import OPTION_WEIGHTS, SCORING_METHODS

name = "multiple_choice"
scoring_methods: tuple[str, ...] = (*SCORING_METHODS, OPTION_WEIGHTS)
shape = CHOICE

orderable = reading.orderable
mark = marking.mark
solution = marking.model_answer


def check(content: Content, key: Key, scoring_method: str) -> tuple[Problem, ...]:
    """Check the draft against the rules of every question with options."""
    return checking.check(content, key, scoring_method, scoring_methods=scoring_methods, many=True)


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return the options in the order asked for."""
    return reading.present(name, content, order, many=True)


def read(content: Content, raw: Json) -> Answer | Unreadable | None:
    """Read the chosen ids."""
    return reading.read(content, raw, many=True)
