"""The review of an answer typed in one field: what kinds with such a field share."""

from quizzes.presentation.ledger_messages import safe_html
from quizzes.presentation.view_models import ANSWER_STATES, AnswerRow, Fragment, ReviewContent
from quizzes.results.attempt_report import QuestionReport


def build_review(
    item: QuestionReport, answer: str, expected: str | None, lang: str
) -> ReviewContent:
    """Return what was typed and, as far as revealed, whether it was right, and what would be."""
    row = AnswerRow(
        label="",
        answer=answer,
        lang=lang,
        state=ANSWER_STATES.get(item.outcome, ""),
        expected=expected,
        feedback_html=safe_html("".join(item.feedback.values())),
        feedback_lang=item.feedback_language,
        earned=None,
    )
    return ReviewContent({"rows": [Fragment("partials/review_answer.html", row)]})
