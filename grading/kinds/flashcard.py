"""A card to study by: a front, a back, and how well one recalled it; it earns and costs nothing."""

from collections.abc import Sequence

from grading.contract import (
    ZERO,
    InvalidAnswer,
    ItemScore,
    Problem,
    PublicQuestion,
    check_scoring_method,
)
from grading.json_types import Answer, Content, Json, Key
from grading.parsing import list_no_parts, refuse_order
from grading.schema import LEARNING_TEXTS, PROMPT, QuestionSchema, Text

name = "flashcard"
scoring_methods: tuple[str, ...] = ("study",)
schema = QuestionSchema(
    texts=(PROMPT, Text("hint"), Text("back", required=True, is_feedback=True), *LEARNING_TEXTS),
    graded=False,
)

shufflable_ids = list_no_parts

RECALLED = "recalled"
DEGREES = ("yes", "partly", "no")
"""How well a learner says that the back came to mind, the best first."""


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the scoring method, of which there is only one: a card has nothing but texts."""
    return check_scoring_method(method, scoring_methods)


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return the degrees of recall to choose from; an order of anything: ValueError."""
    refuse_order(order)
    return PublicQuestion(name, {RECALLED: list(DEGREES)})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"recalled": "yes" | "partly" | "no"}`; null or no field for unanswered."""
    if raw is None or raw == {}:
        return None
    if not isinstance(raw, dict):
        return InvalidAnswer("not_an_object", {"where": "answer"})
    if raw.keys() != {RECALLED}:
        return InvalidAnswer("unknown_field", {"where": "answer"})
    if raw[RECALLED] not in DEGREES:
        return InvalidAnswer("unknown_option", {"where": RECALLED})
    return {RECALLED: raw[RECALLED]}


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Return a mark of nothing that is no judgement; another form of answer: ValueError."""
    match answer:
        case None:
            return ItemScore(ZERO, (), ("unanswered",))
        case {"recalled": "yes" | "partly" | "no"}:
            return ItemScore(ZERO, (), ("ungraded",))
    raise ValueError("not a canonical answer")


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the answer of a learner who knows the card."""
    return {RECALLED: DEGREES[0]}
