"""A number, typed as people write numbers; with a unit, where the author allows or wants one."""

from collections.abc import Sequence

from grading.contract import InvalidAnswer, ItemScore, Problem, PublicQuestion, check_scoring_method
from grading.json_types import Answer, Content, Json, Key
from grading.numeric import correct_answers, parsing, scoring, validation
from grading.numeric.schema import NUMERIC
from grading.numeric.structure import NONE, NumericRule, load_rule
from grading.parsing import list_no_parts, refuse_order

name = "numeric"
ACCEPTED_ANSWERS = "accepted_answers"
scoring_methods: tuple[str, ...] = (ACCEPTED_ANSWERS,)
schema = NUMERIC
shufflable_ids = list_no_parts


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the draft against the rules of accepted numbers and of units."""
    return (
        *check_scoring_method(method, scoring_methods),
        *validation.validate(*_parts(content, key)),
    )


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return whether a unit may be typed, or must; an order of anything: ValueError."""
    refuse_order(order)
    return PublicQuestion(name, {"unit": content.get("unit", NONE)})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read what was typed."""
    return parsing.parse(content.get("unit", NONE), raw)


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark by the accepted numbers; another scoring_method: ValueError."""
    if method not in scoring_methods:
        raise ValueError("no such scoring_method")
    return scoring.score(_rule(content, key), answer)


def correct_answer(content: Content, key: Key) -> Answer:
    """Return an accepted number that earns everything."""
    return correct_answers.correct_answer(_rule(content, key))


def _rule(content: Content, key: Key) -> NumericRule:
    return load_rule(*_parts(content, key))


def _parts(content: Content, key: Key) -> tuple[Json, Json, Json, Json]:
    return (
        content.get("unit", NONE),
        key.get("numbers", []),
        key.get("units", []),
        key.get("unit_credit", [0, 1]),
    )
