"""Items are to be put in their order; the learner begins with a shuffled one."""

from functools import partial

from grading.lower_bound import LOWER_BOUND
from grading.ordering import parsing, scoring, validation
from grading.ordering.scoring_methods import SCORERS
from grading.ordering.structure import PENALTY
from grading.schema import (
    EXPLANATION_SAFE,
    HINTS,
    LEARNING_TEXTS,
    PROMPT,
    SAFE,
    SCORE_FEEDBACK,
    QuestionSchema,
    Table,
    Text,
)

name = "ordering"
scoring_methods: tuple[str, ...] = tuple(SCORERS)
schema = QuestionSchema(
    texts=(PROMPT, *LEARNING_TEXTS),
    fields=(PENALTY, LOWER_BOUND, EXPLANATION_SAFE),
    tables=(
        Table(
            "items",
            (SAFE,),
            texts=(Text("items", required=True), Text("items", is_feedback=True)),
            order_key="order",
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
