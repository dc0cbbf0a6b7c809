"""One answer among several: radio buttons, and one more to take the answer back."""

from quizzes.web import choice, telling

shows_scoring_hint = False
draws_prompt = False

form = choice.form
filled = choice.filled
read = choice.read
in_words = choice.in_words
read_as = telling.read_as
review = choice.review
why = choice.why
