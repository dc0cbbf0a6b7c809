"""Items are to be put in their order; the learner begins with a shuffled one."""

from collections.abc import Sequence

from grading.contract import Content, Key, Presented, Problem
from grading.orders import checking, marking, reading
from grading.orders.scoring_methods import PAY
from grading.shape import BANDS, EXPLANATION, PROMPT, Shape, Table, Text

name = "ordering"
scoring_methods: tuple[str, ...] = tuple(PAY)
shape = Shape(
    texts=(PROMPT, EXPLANATION),
    tables=(
        Table(
            "items",
            texts=(Text("items", required=True), Text("items", told=True)),
            order="order",
            when_right=True,
        ),
        BANDS,
    ),
)

orderable = reading.orderable
read = reading.read
mark = marking.mark
solution = marking.model_answer


def check(content: Content, key: Key, scoring_method: str) -> tuple[Problem, ...]:
    """Check the draft against the rules of orders."""
    return checking.check(content, key, scoring_method, scoring_methods=scoring_methods)


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return the items in the order asked for."""
    return reading.present(name, content, order)
