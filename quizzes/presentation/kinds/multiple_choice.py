"""The chosen options, as text."""

from quizzes.presentation import choice

answer_text = choice.answer_text
