"""Any number of answers: boxes to tick, and the scoring method named beside them."""

from quizzes.web import choice, telling

shows_scoring_hint = True
draws_prompt = False

form = choice.form
filled = choice.filled
read = choice.read
in_words = choice.in_words
read_as = telling.read_as
review = choice.review
why = choice.why
