"""A few words, typed: compared with the answers that the author accepts, in their order."""

from collections.abc import Sequence

from grading.contract import Problem, PublicQuestion, check_scoring_method
from grading.json_types import Content, Key
from grading.lower_bound import LOWER_BOUND, build_public_bound
from grading.parsing import list_no_parts, refuse_order
from grading.schema import (
    EXPLANATION_SAFE,
    HINTS,
    LEARNING_TEXTS,
    PROMPT,
    SCORE_FEEDBACK,
    QuestionSchema,
)
from grading.short_text import parsing, scoring, validation
from grading.short_text.schema import (
    ACCEPTED,
    COMPARISON,
    OTHERWISE,
    OTHERWISE_SAFE,
    build_public_comparison,
)

name = "short_text"
scoring_methods: tuple[str, ...] = ("accepted_answers",)
schema = QuestionSchema(
    texts=(PROMPT, *LEARNING_TEXTS, OTHERWISE),
    fields=(*COMPARISON, LOWER_BOUND, EXPLANATION_SAFE, OTHERWISE_SAFE),
    tables=(ACCEPTED, SCORE_FEEDBACK, HINTS),
)

shufflable_ids = list_no_parts
parse = parsing.parse
score = scoring.score
correct_answer = scoring.correct_answer


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the accepted answers, and how the content says that they are compared."""
    return (*validation.validate(content, key), *check_scoring_method(method, scoring_methods))


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return how long an answer may be, and how it is compared; an order: ValueError."""
    refuse_order(order)
    comparison = build_public_comparison(content) | build_public_bound(content)
    return PublicQuestion(name, {"maximum": parsing.MAXIMUM} | comparison)
