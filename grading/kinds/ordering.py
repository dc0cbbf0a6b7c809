"""Items are to be put in their order; the learner begins with a shuffled one."""

from functools import partial

from grading.orders import checking, marking, reading
from grading.orders.scoring_methods import PAY
from grading.schema import EXPLANATION, PROMPT, SCORE_FEEDBACK, QuestionSchema, Table, Text

name = "ordering"
scoring_methods: tuple[str, ...] = tuple(PAY)
schema = QuestionSchema(
    texts=(PROMPT, EXPLANATION),
    tables=(
        Table(
            "items",
            texts=(Text("items", required=True), Text("items", is_feedback=True)),
            order_key="order",
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
