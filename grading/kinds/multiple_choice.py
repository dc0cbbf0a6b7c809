"""Any number of options may be right, none included where that is offered; any may be chosen."""

from functools import partial

from grading.choice import checking, marking, reading
from grading.choice.shape import CHOICE
from grading.partial import OPTION_WEIGHTS, SCORING_METHODS

name = "multiple_choice"
scoring_methods: tuple[str, ...] = (*SCORING_METHODS, OPTION_WEIGHTS)
schema = CHOICE

validate = partial(checking.check, methods=scoring_methods, many=True)
shufflable_ids = reading.orderable
public_view = partial(reading.present, name, many=True)
parse = partial(reading.read, many=True)
score = marking.mark
correct_answer = marking.model_answer
