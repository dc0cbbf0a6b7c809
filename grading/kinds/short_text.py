"""A few words, typed: compared with the answers that the author accepts, in their order."""

from collections.abc import Sequence

from grading.contract import (
    Answer,
    Content,
    Json,
    Key,
    Mark,
    Presented,
    Problem,
    check_scoring_method,
)
from grading.shape import BANDS, EXPLANATION, PROMPT, Shape
from grading.texts import checking, marking, reading
from grading.texts.shape import ACCEPTED, FOLDING, OTHERWISE
from grading.texts.structure import folding, rows

name = "short_text"
scoring_methods: tuple[str, ...] = ("accepted_answers",)
shape = Shape(
    texts=(PROMPT, EXPLANATION, OTHERWISE),
    fields=FOLDING,
    tables=(ACCEPTED, BANDS),
)

read = reading.read


def check(content: Content, key: Key, scoring_method: str) -> tuple[Problem, ...]:
    """Check the accepted answers; the content has nothing to check."""
    del content
    problems = checking.check(key.get("accepted", []), key)
    return (*problems, *check_scoring_method(scoring_method, scoring_methods))


def orderable(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return nothing: there are no parts to put in an order."""
    del content
    return ()


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return how many characters an answer may have; an order of anything: ValueError."""
    del content
    if order:
        raise ValueError("a short text has no parts")
    return Presented(name, {"maximum": reading.MAXIMUM})


def mark(content: Content, key: Key, answer: Json, scoring_method: str) -> Mark:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    del content, scoring_method
    return marking.mark(rows(key.get("accepted")), folding(key), answer)


def solution(content: Content, key: Key) -> Answer:
    """Return the first full answer that can be written as words."""
    del content
    return marking.model_answer(rows(key.get("accepted")), folding(key))
