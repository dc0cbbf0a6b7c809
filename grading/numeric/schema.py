"""What a question for a number, or a gap for one, is made of."""

from grading.lower_bound import LOWER_BOUND
from grading.numeric.structure import NONE, UNIT_POLICIES
from grading.numeric.tolerance import EXACT, TOLERANCES
from grading.schema import (
    EXPLANATION,
    PROMPT,
    SCORE_FEEDBACK,
    Field,
    FieldType,
    QuestionSchema,
    Table,
    Text,
)

ACCEPTED = (
    Field("value", FieldType.LINE, default=""),
    Field("tolerance", FieldType.CHOICE, default=EXACT, choices=TOLERANCES),
    Field("margin", FieldType.LINE, default=""),
    Field("credit", FieldType.RATIO, default=[1, 1]),
)
"""The fields of one accepted number."""

SAYS = (Text("numbers", is_feedback=True),)

NUMERIC = QuestionSchema(
    texts=(
        PROMPT,
        EXPLANATION,
        Text("otherwise", is_feedback=True),
        Text("no_unit", is_feedback=True),
        Text("wrong_unit", is_feedback=True),
    ),
    fields=(
        Field("unit", FieldType.CHOICE, default=NONE, choices=UNIT_POLICIES),
        Field("unit_credit", FieldType.RATIO, secret=True, default=[0, 1]),
        LOWER_BOUND,
    ),
    tables=(
        Table("numbers", ACCEPTED, SAYS, secret=True),
        Table(
            "units",
            (
                Field("symbol", FieldType.LINE, default=""),
                Field("factor", FieldType.LINE, default="1"),
            ),
            secret=True,
        ),
        SCORE_FEEDBACK,
    ),
)
