"""A text with gaps: words to choose, words to write and numbers, each gap with its own points."""

from functools import partial

from grading.gaps import checking, marking, reading
from grading.gaps.shape import CLOZE

name = "cloze"
scoring_methods: tuple[str, ...] = marking.SCORING_METHODS
schema = CLOZE

validate = partial(checking.check, methods=scoring_methods)
shufflable_ids = reading.orderable
public_view = partial(reading.present, name)
parse = reading.read
score = marking.mark
correct_answer = marking.model_answer
