"""Any number of answers: boxes to tick, with a hint how they are scored."""

from quizzes.presentation import choice, ledger_messages

shows_scoring_hint = True
renders_prompt = False

template_context = choice.template_context
placeholder_values = choice.placeholder_values
parse_form = choice.parse_form
answer_text = choice.answer_text
interpretation = ledger_messages.no_interpretation
build_review = choice.build_review
ledger_rows = choice.ledger_rows
