"""What a question for a number, or a gap for one, is made of."""

from grading.lower_bound import LOWER_BOUND
from grading.numeric.structure import NONE, UNIT_POLICIES
from grading.numeric.tolerance import EXACT, TOLERANCES
from grading.schema import (
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
    build_safe_field,
)

ACCEPTED = (
    Field("value", FieldType.LINE, default=""),
    Field("tolerance", FieldType.CHOICE, default=EXACT, choices=TOLERANCES),
    Field("margin", FieldType.LINE, default=""),
    Field("credit", FieldType.RATIO, default=[1, 1]),
    SAFE,
)
"""The fields of one accepted number."""

SAYS = (Text("numbers", is_feedback=True),)

UNMATCHED = ("otherwise", "no_unit", "wrong_unit")
"""The feedback where none of them matches, or its unit does not."""

NUMERIC = QuestionSchema(
    texts=(
        PROMPT,
        *LEARNING_TEXTS,
        *(Text(name, is_feedback=True) for name in UNMATCHED),
    ),
    fields=(
        Field("unit", FieldType.CHOICE, default=NONE, choices=UNIT_POLICIES),
        Field("unit_credit", FieldType.RATIO, secret=True, default=[0, 1]),
        LOWER_BOUND,
        EXPLANATION_SAFE,
        *map(build_safe_field, UNMATCHED),
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
        HINTS,
    ),
)
