"""One option out of several is right, or weighs most; one may be chosen."""

from functools import partial

from grading.choice import checking, marking, reading
from grading.choice.shape import CHOICE
from grading.partial import ALL_OR_NOTHING, OPTION_WEIGHTS

name = "single_choice"
scoring_methods: tuple[str, ...] = (ALL_OR_NOTHING, OPTION_WEIGHTS)
schema = CHOICE

validate = partial(checking.check, methods=scoring_methods, many=False)
shufflable_ids = reading.orderable
public_view = partial(reading.present, name, many=False)
parse = partial(reading.read, many=False)
score = marking.mark
correct_answer = marking.model_answer
