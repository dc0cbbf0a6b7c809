"""What a question with options is made of."""

from grading.choice.structure import NONE_APPLY
from grading.contract import Json
from grading.shape import (
    BANDS,
    COMBINATIONS,
    EXPLANATION,
    PROMPT,
    Field,
    Holds,
    Shape,
    Table,
    Text,
)

RIGHT = Field("right", Holds.FLAG, secret=True, default=False)
PINNED = Field("pinned", Holds.FLAG, default=False)
WEIGHT = Field("weight", Holds.RATIO, secret=True, stored="weights")
SAYS = (
    Text("options", required=True),
    Text("options", told=True),
    Text("unchosen", told=True),
)


def _fields(*, shuffle: Json) -> tuple[Field, ...]:
    return (
        Field(NONE_APPLY, Holds.FLAG, default=False),
        Field("shuffle", Holds.FLAG, default=shuffle),
    )


CHOICE = Shape(
    texts=(PROMPT, EXPLANATION),
    fields=_fields(shuffle=True),
    tables=(Table("options", (RIGHT, PINNED, WEIGHT), SAYS), BANDS, COMBINATIONS),
)
TRUTH = Shape(
    texts=(PROMPT, EXPLANATION),
    fields=_fields(shuffle=False),
    tables=(
        Table(
            "options",
            (RIGHT, PINNED, Field("value", Holds.FLAG)),
            SAYS,
            fixed={"true": {"value": True}, "false": {"value": False}},
        ),
        BANDS,
    ),
)
"""True or false: two options, in one order always, each standing for its value."""
