"""Each part on the left goes with one on the right; rights that go with nothing distract."""

from functools import partial

from grading.pairs import checking, marking, reading
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

name = "matching"
scoring_methods: tuple[str, ...] = marking.SCORING_METHODS
schema = QuestionSchema(
    texts=(PROMPT, EXPLANATION),
    fields=(Field("shuffle", FieldType.FLAG, default=True),),
    tables=(
        Table("rights", texts=(Text("rights", required=True),)),
        Table(
            "lefts",
            (
                Field(
                    "goes_with", FieldType.ROW, secret=True, choices=("rights",), key_name="pairs"
                ),
            ),
            (Text("lefts", required=True), Text("lefts", is_feedback=True)),
            reveals_key=True,
        ),
        SCORE_FEEDBACK,
    ),
)

validate = partial(checking.check, methods=scoring_methods)
shufflable_ids = reading.orderable
public_view = partial(reading.present, name)
parse = reading.read
score = marking.mark
correct_answer = marking.model_answer
