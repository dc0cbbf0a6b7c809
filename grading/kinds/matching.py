"""Each part on the left goes with one on the right; rights that go with nothing distract."""

from functools import partial

from grading.lower_bound import LOWER_BOUND
from grading.matching import parsing, scoring, validation
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
)

name = "matching"
scoring_methods: tuple[str, ...] = scoring.SCORING_METHODS
schema = QuestionSchema(
    texts=(PROMPT, *LEARNING_TEXTS),
    fields=(Field("shuffle", FieldType.FLAG, default=True), LOWER_BOUND, EXPLANATION_SAFE),
    tables=(
        Table("rights", texts=(Text("rights", required=True),)),
        Table(
            "lefts",
            (
                Field(
                    "goes_with", FieldType.ROW, secret=True, choices=("rights",), key_name="pairs"
                ),
                Field("points", FieldType.COUNT, default=1),
                SAFE,
            ),
            (Text("lefts", required=True), Text("lefts", is_feedback=True)),
            reveals_key=True,
        ),
        SCORE_FEEDBACK,
        HINTS,
    ),
)

validate = partial(validation.validate, methods=scoring_methods)
shufflable_ids = parsing.shufflable_ids
public_view = partial(parsing.public_view, name)
parse = parsing.parse
score = scoring.score
correct_answer = scoring.correct_answer
