"""A few words, typed: compared with the answers that the author accepts, in their order."""

from collections.abc import Sequence

from grading.contract import ItemScore, Problem, PublicQuestion, check_scoring_method
from grading.json_types import Answer, Content, Json, Key
from grading.parsing import list_no_parts, refuse_order
from grading.schema import EXPLANATION, PROMPT, SCORE_FEEDBACK, QuestionSchema
from grading.short_text import parsing, scoring, validation
from grading.short_text.schema import ACCEPTED, FOLDING, OTHERWISE
from grading.short_text.structure import load_folding, load_rows

name = "short_text"
scoring_methods: tuple[str, ...] = ("accepted_answers",)
schema = QuestionSchema(
    texts=(PROMPT, EXPLANATION, OTHERWISE), fields=FOLDING, tables=(ACCEPTED, SCORE_FEEDBACK)
)

shufflable_ids = list_no_parts
parse = parsing.parse


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the accepted answers; the content has nothing to check."""
    problems = validation.validate(key.get("accepted", []), key)
    return (*problems, *check_scoring_method(method, scoring_methods))


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return how many characters an answer may have; an order of anything: ValueError."""
    refuse_order(order)
    return PublicQuestion(name, {"maximum": parsing.MAXIMUM})


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    return scoring.score(load_rows(key.get("accepted")), load_folding(key), answer)


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the first full answer that can be written as words."""
    return scoring.correct_answer(load_rows(key.get("accepted")), load_folding(key))
