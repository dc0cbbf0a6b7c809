"""Each part on the left goes with one on the right; rights that go with nothing distract."""

from collections.abc import Sequence

from grading.contract import Content, Key, Presented, Problem
from grading.pairs import checking, marking, reading
from grading.shape import BANDS, EXPLANATION, PROMPT, Field, Holds, Shape, Table, Text

name = "matching"
scoring_methods: tuple[str, ...] = marking.SCORING_METHODS
shape = Shape(
    texts=(PROMPT, EXPLANATION),
    fields=(Field("shuffle", Holds.FLAG, default=True),),
    tables=(
        Table("rights", texts=(Text("rights", required=True),)),
        Table(
            "lefts",
            (Field("goes_with", Holds.ROW, secret=True, among=("rights",), stored="pairs"),),
            (Text("lefts", required=True), Text("lefts", told=True)),
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
    """Check the draft against the rules of pairs."""
    return checking.check(content, key, scoring_method, scoring_methods=scoring_methods)


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return the lefts as they are, and the rights in the order asked for."""
    return reading.present(name, content, order)
