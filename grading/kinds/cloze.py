"""A text with gaps: words to choose, words to write and numbers, each gap with its own points."""

from functools import partial

from grading.cloze import parsing, scoring, validation
from grading.cloze.schema import CLOZE

name = "cloze"
scoring_methods: tuple[str, ...] = scoring.SCORING_METHODS
schema = CLOZE

validate = partial(validation.validate, methods=scoring_methods)
shufflable_ids = parsing.shufflable_ids
public_view = partial(parsing.public_view, name)
parse = parsing.parse
score = scoring.score
correct_answer = scoring.correct_answer
