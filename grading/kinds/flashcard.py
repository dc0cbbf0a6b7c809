"""A card to study by: a front, a back, and how well one recalled it; it earns and costs nothing."""

from collections.abc import Sequence

from grading.contract import (
    NOTHING,
    Answer,
    Content,
    Json,
    Key,
    Mark,
    Presented,
    Problem,
    Unreadable,
    check_scoring_method,
)
from grading.shape import EXPLANATION, PROMPT, Shape, Text

name = "flashcard"
scoring_methods: tuple[str, ...] = ("study",)
shape = Shape(
    texts=(PROMPT, Text("hint"), Text("back", required=True, told=True), EXPLANATION),
    graded=False,
)

RECALLED = "recalled"
DEGREES = ("yes", "partly", "no")
"""How well a learner says that the back came to mind, the best first."""


def check(content: Content, key: Key, scoring_method: str) -> tuple[Problem, ...]:
    """Check the scoring method, of which there is only one: a card has nothing but texts."""
    return check_scoring_method(scoring_method, scoring_methods)


def orderable(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return nothing: a card has no parts."""
    return ()


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return the degrees of recall to choose from; an order of anything: ValueError."""
    if order:
        raise ValueError("a card has no parts to order")
    return Presented(name, {RECALLED: list(DEGREES)})


def read(content: Content, raw: Json) -> Answer | Unreadable | None:
    """Read `{"recalled": "yes" | "partly" | "no"}`; null or no field for unanswered."""
    if raw is None or raw == {}:
        return None
    if not isinstance(raw, dict):
        return Unreadable("not_an_object", {"where": "answer"})
    if raw.keys() != {RECALLED}:
        return Unreadable("unknown_field", {"where": "answer"})
    if raw[RECALLED] not in DEGREES:
        return Unreadable("unknown_option", {"where": RECALLED})
    return {RECALLED: raw[RECALLED]}


def mark(content: Content, key: Key, answer: Json, scoring_method: str) -> Mark:
    """Return a mark of nothing that is no judgement; another form of answer: ValueError."""
    match answer:
        case None:
            return Mark(NOTHING, (), ("unanswered",))
        case {"recalled": "yes" | "partly" | "no"}:
            return Mark(NOTHING, (), ("ungraded",))
    raise ValueError("not a canonical answer")


def solution(content: Content, key: Key) -> Answer:
    """Return the answer of a learner who knows the card."""
    return {RECALLED: DEGREES[0]}
