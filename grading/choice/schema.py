"""What a question with options is made of."""

from grading.choice.structure import NONE_APPLY
from grading.json_types import Json
from grading.lower_bound import LOWER_BOUND
from grading.schema import (
    COMBINATION_FEEDBACK,
    EXPLANATION_SAFE,
    HINTS,
    LEARNING_TEXTS,
    PROMPT,
    SAFE,
    SCORE_FEEDBACK,
    Field,
    FieldType,
    QuestionSchema,
    Table,
    Text,
)

RIGHT = Field("right", FieldType.FLAG, secret=True, default=False)
PINNED = Field("pinned", FieldType.FLAG, default=False)
WEIGHT = Field("weight", FieldType.RATIO, secret=True, key_name="weights")
SAYS = (
    Text("options", required=True),
    Text("options", is_feedback=True),
    Text("unchosen", is_feedback=True),
)


def _fields(*, shuffle: Json) -> tuple[Field, ...]:
    return (
        Field(NONE_APPLY, FieldType.FLAG, default=False),
        Field("shuffle", FieldType.FLAG, default=shuffle),
    )


CHOICE = QuestionSchema(
    texts=(PROMPT, *LEARNING_TEXTS),
    fields=(*_fields(shuffle=True), LOWER_BOUND, EXPLANATION_SAFE),
    tables=(
        Table("options", (RIGHT, PINNED, WEIGHT, SAFE), SAYS),
        SCORE_FEEDBACK,
        COMBINATION_FEEDBACK,
        HINTS,
    ),
)
TRUTH = QuestionSchema(
    texts=(PROMPT, *LEARNING_TEXTS),
    fields=(*_fields(shuffle=False), LOWER_BOUND, EXPLANATION_SAFE),
    tables=(
        Table(
            "options",
            (RIGHT, PINNED, WEIGHT, Field("value", FieldType.FLAG), SAFE),
            SAYS,
            fixed_rows={"true": {"value": True}, "false": {"value": False}},
        ),
        SCORE_FEEDBACK,
        HINTS,
    ),
)
"""True or false: two options, in one order always, each standing for its value."""
