"""Essay questions, attempts and manual grades, made through the services."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any
from uuid import uuid4

from grading.json_types import Json
from quizzes.attempts.models import Attempt
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.bank import services as bank_services
from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.publishing.models import Quiz
from quizzes.results.manual_grading import grade_manually
from quizzes.results.models import ManualGrade, Purpose
from tests.attempt_helpers import finish, start
from tests.factories import NOW

RUBRIC: Mapping[str, Sequence[int]] = {"idea": (0, 2, 4), "form": (0, 1)}
TEXT = "Each device holds a whole copy of the model."


def create_essay(
    into: Bank,
    name: str = "why",
    criteria: Mapping[str, Sequence[int]] = RUBRIC,
    graders: int = 1,
    **content: Any,
) -> Question:
    """Publish an essay; the levels of `idea` are idea-0, idea-1, …, worth these points."""
    item = essay_document(name, criteria, graders, **content)
    question = bank_services.add_question(bank=into, name=name, item=item, by=None)
    bank_services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def essay_document(
    name: str, criteria: Mapping[str, Sequence[int]], graders: int, **content: Any
) -> QuestionDocument:
    levels: list[Json] = [
        {"id": f"{of}-{n}", "criterion": of, "points": points}
        for of, worth in criteria.items()
        for n, points in enumerate(worth)
    ]
    named = [str(level["id"]) for level in levels if isinstance(level, dict)]
    key: dict[str, Json] = {"graders": graders}
    if criteria:
        key |= {"criteria": [{"id": of} for of in criteria], "levels": levels}
    return QuestionDocument(
        kind="essay",
        scoring_method="rubric",
        content=content,
        key=key,
        words={"en": {"prompt": f"Write {name}."}, "es": {"prompt": f"Escribe {name}."}},
        feedback={
            language: {
                "criteria": {of: f"{criterion} {of}" for of in criteria},
                "levels": {name: f"{level} {name}" for name in named},
                "explanation": f"{because} {name}",
            }
            for language, criterion, level, because in (
                ("en", "Criterion", "Level", "Because"),
                ("es", "Criterio", "Nivel", "Porque"),
            )
        },
    )


def save_text(attempt: Attempt, slot: int, text: str) -> None:
    """Save a text."""
    response_input = ResponseInput(slot=slot, raw={"text": text}, idempotency_key=uuid4())
    save_responses(
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[response_input],
        language="en",
        now=NOW,
    )


def attempt_with_essay(quiz: Quiz, learner: Any, text: str = TEXT, slot: int = 0) -> Attempt:
    """Start, write a text, finish."""
    attempt = start(quiz, learner)
    if text:
        save_text(attempt, slot, text)
    return finish(attempt)


def levels(idea: int, form: int) -> dict[str, str]:
    """A mark by the levels of RUBRIC."""
    return {"idea": f"idea-{idea}", "form": f"form-{form}"}


def grade_essay(
    attempt: Attempt, by: Any, criterion_levels: Any = None, *, slot: int = 0, **more: Any
) -> ManualGrade:
    """Mark one answer, by levels or by a share; everything reached unless said otherwise."""
    criterion_levels = levels(2, 1) if criterion_levels is None else criterion_levels
    which = (
        {"share": criterion_levels}
        if isinstance(criterion_levels, Fraction | int)
        else {"levels": criterion_levels}
    )
    which = {"share": Fraction(criterion_levels)} if "share" in which else which
    return grade_manually(attempt=attempt.uuid, slot=slot, by=by, **{"now": NOW, **which, **more})


FINAL = Purpose.FINAL
