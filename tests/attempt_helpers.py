"""Attempts without a page: what tests of attempts and results do again and again."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from quizzes.attempts import services as lifecycle
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt
from quizzes.attempts.responses import ResponseInput, SaveResult, save_responses
from quizzes.bank.models import Question
from quizzes.publishing.models import Quiz
from quizzes.results import services
from quizzes.results.attempt_report import AttemptReport
from quizzes.results.selectors import load_report
from tests.factories import NOW, option_ids


def later(**span: float) -> datetime:
    """So long after NOW."""
    return NOW + timedelta(**span)


def start(quiz: Quiz, learner: Any, now: datetime = NOW) -> Attempt:
    return lifecycle.start(quiz=quiz.uuid, learner=learner, now=now)


def raw_choice(attempt: Attempt, slot: int, letters: str) -> dict[str, Any]:
    """Return what an interface receives if the options with these names are chosen."""
    question = Manifest.from_json(attempt.manifest).slots[slot].question
    return {"chosen": option_ids(Question.objects.get(uuid=question), *letters)}


def save_choice(
    attempt: Attempt,
    slot: int,
    letters: str | None,
    now: datetime = NOW,
    *,
    operation: UUID | None = None,
    **fields: Any,
) -> SaveResult:
    """Choose the options of these names, `None` for no answer."""
    sent = None if letters is None else raw_choice(attempt, slot, letters)
    response_input = ResponseInput(
        slot=slot, raw=sent, idempotency_key=operation or uuid4(), **fields
    )
    return save_responses(
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[response_input],
        language="en",
        now=now,
    )[0]


def finish(attempt: Attempt, now: datetime = NOW) -> Attempt:
    services.finish(attempt=attempt.uuid, learner=attempt.learner, now=now)
    attempt.refresh_from_db()
    return attempt


def take_quiz(
    quiz: Quiz, learner: Any, answers: Mapping[int, str] | None = None, now: datetime = NOW
) -> Attempt:
    """Start, answer these slots, finish."""
    attempt = start(quiz, learner, now)
    for slot, letters in (answers or {}).items():
        save_choice(attempt, slot, letters, now)
    return finish(attempt, now)


def report_on(attempt: Attempt, now: datetime = NOW) -> AttemptReport:
    """Return what the learner may see of an attempt of their own, in English."""
    return load_report(attempt=attempt.uuid, viewer=attempt.learner, language="en", now=now)
