"""A question for a number as a whole: its rows are taken out of content and key."""

from grading.contract import InvalidAnswer, ItemScore, Problem
from grading.json_types import Answer, Content, Json, Key
from grading.lower_bound import read_lower_bound
from grading.numeric import correct_answers, parsing, scoring, validation
from grading.numeric.structure import NONE, load_rule


def validate(content: Content, key: Key) -> tuple[Problem, ...]:
    """Check the draft against the rules of accepted numbers and of units."""
    problems: list[Problem] = []
    read_lower_bound(content, problems)
    return (*problems, *validation.validate(*_parts(content, key)))


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read what was typed."""
    return parsing.parse(content.get("unit", NONE), raw)


def score(content: Content, key: Key, answer: Json) -> ItemScore:
    """Score by the accepted numbers."""
    rule, lower_bound = load_rule(*_parts(content, key)), read_lower_bound(content, [])
    return scoring.score(rule, answer, lower_bound)


def correct_answer(content: Content, key: Key) -> Answer:
    """Return an accepted number that earns everything."""
    return correct_answers.correct_answer(load_rule(*_parts(content, key)))


def _parts(content: Content, key: Key) -> tuple[Json, Json, Json, Json]:
    return (
        content.get("unit", NONE),
        key.get("numbers", []),
        key.get("units", []),
        key.get("unit_credit", [0, 1]),
    )
