"""One option out of several is right, or weighs most; one may be chosen."""

from functools import partial

from grading.choice import parsing, scoring, validation
from grading.choice.schema import CHOICE
from grading.partial_credit import ALL_OR_NOTHING, OPTION_WEIGHTS

name = "single_choice"
scoring_methods: tuple[str, ...] = (ALL_OR_NOTHING, OPTION_WEIGHTS)
schema = CHOICE

validate = partial(validation.validate, methods=scoring_methods, many=False)
shufflable_ids = parsing.shufflable_ids
public_view = partial(parsing.public_view, name, many=False)
parse = partial(parsing.parse, many=False)
score = scoring.score
correct_answer = scoring.correct_answer
