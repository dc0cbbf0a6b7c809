"""Any number of options may be right, none included where that is offered; any may be chosen."""

from functools import partial

from grading.choice import parsing, scoring, validation
from grading.choice.schema import CHOICE
from grading.partial_credit import OPTION_WEIGHTS, SCORING_METHODS

name = "multiple_choice"
scoring_methods: tuple[str, ...] = (*SCORING_METHODS, OPTION_WEIGHTS)
schema = CHOICE

validate = partial(validation.validate, methods=scoring_methods, many=True)
shufflable_ids = parsing.shufflable_ids
public_view = partial(parsing.public_view, name, many=True)
parse = partial(parsing.parse, many=True)
score = scoring.score
correct_answer = scoring.correct_answer
