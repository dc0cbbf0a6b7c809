"""A number, typed as people write numbers; with a unit, where the author allows or wants one."""

from collections.abc import Sequence

from grading.contract import ItemScore, Problem, PublicQuestion, check_scoring_method
from grading.json_types import Content, Json, Key
from grading.lower_bound import build_public_bound
from grading.numeric import question
from grading.numeric.schema import NUMERIC
from grading.numeric.structure import NONE
from grading.parsing import list_no_parts, refuse_order

name = "numeric"
ACCEPTED_ANSWERS = "accepted_answers"
scoring_methods: tuple[str, ...] = (ACCEPTED_ANSWERS,)
schema = NUMERIC

shufflable_ids = list_no_parts
parse = question.parse
correct_answer = question.correct_answer


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the draft against the rules of accepted numbers and of units."""
    return (*check_scoring_method(method, scoring_methods), *question.validate(content, key))


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return whether a unit may be typed, or must; an order of anything: ValueError."""
    refuse_order(order)
    return PublicQuestion(name, {"unit": content.get("unit", NONE)} | build_public_bound(content))


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Score by the accepted numbers; another scoring method: ValueError."""
    if method not in scoring_methods:
        raise ValueError("no such scoring_method")
    return question.score(content, key, answer)
