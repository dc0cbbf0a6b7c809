"""Short text questions and attempts at them, made through the services."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from grading.json_types import Json
from quizzes.attempts.models import Attempt
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.bank import services
from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import finish, start
from tests.factories import NOW

ACCEPTED: Sequence[tuple[str, Sequence[int]]] = (("Paris", (1, 1)), ("*France*", (1, 3)))


def short_text_document(
    accepted: Sequence[tuple[str, Sequence[int]]] = ACCEPTED, **content: Any
) -> QuestionDocument:
    """An item that accepts these texts with these credits; their ids are row-0, row-1, …

    `content` says how answers are compared.
    """
    rows: list[Json] = [
        {"id": f"row-{n}", "text": text, "credit": list(credit)}
        for n, (text, credit) in enumerate(accepted)
    ]
    return QuestionDocument(
        kind="short_text",
        scoring_method="accepted_answers",
        content=content,
        key={"accepted": rows},
        words={"en": {"prompt": "Which city?"}, "es": {"prompt": "¿Qué ciudad?"}},
        feedback={
            "en": {"otherwise": "Think of a tower."},
            "es": {"otherwise": "Piensa en una torre."},
        },
    )


def create_short_text(into: Bank, name: str = "city", **content: Any) -> Question:
    """Publish a short text question."""
    question = services.add_question(
        bank=into, name=name, item=short_text_document(**content), by=None
    )
    services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def attempt_with_text(quiz: Quiz, learner: Any, text: str) -> Attempt:
    """Start, answer the one question with this text, finish."""
    attempt = start(quiz, learner)
    response_input = ResponseInput(slot=0, raw={"text": text}, idempotency_key=uuid4())
    save_responses(
        attempt=attempt.uuid, learner=learner, inputs=[response_input], language="en", now=NOW
    )
    return finish(attempt)
