"""Whether the order of an item's conditions matters: one may undo what another before it gave."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Final

from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.qti.assessment_item import CustomScoring
from quizzes.formats.qti12.conditions import Clause, RespCondition, ResponseTest

_End = tuple[Fraction | float, int]
"""A number, and 1 or -1 where only what is beyond or below it counts."""
_LOWEST: Final[_End] = (-inf, 0)
_HIGHEST: Final[_End] = (inf, 0)
_MOST_TESTS = 100_000
"""Comparisons of tests of one item; in an item with more, the order is taken to matter."""


def find_undoing_condition(
    conditions: Iterable[RespCondition], cardinalities: Mapping[str, str]
) -> RespCondition | None:
    """Return a condition that sets the score anew after another gave points, or is never reached.

    None where no answer meets both. `cardinalities` are those of the responses: "single",
    "multiple" or "ordered".
    """
    return _find_overlapping(
        conditions,
        cardinalities,
        lambda first, second: bool(
            (second.sets_score and first.points) or (first.stops and second.points)
        ),
    )


def order_by_precedence(conditions: Sequence[RespCondition]) -> Sequence[RespCondition]:
    """Return the conditions of one response so that the first that an answer meets counts.

    Where each sets the score, the last one counts in the file. Raise CustomScoring where several
    add up.
    """
    overlapping = _find_overlapping(
        conditions,
        {},
        lambda first, second: (
            not first.stops
            and (
                first.points != second.points
                if second.sets_score
                else bool(first.points and second.points)
            )
        ),
    )
    if overlapping is None:
        return conditions
    if all(condition.sets_score and not condition.stops for condition in conditions):
        return conditions[::-1]
    raise CustomScoring(overlapping.line)


def _find_overlapping(
    conditions: Iterable[RespCondition],
    cardinalities: Mapping[str, str],
    matters: Callable[[RespCondition, RespCondition], bool],
) -> RespCondition | None:
    """Return the later of two conditions that an answer can meet, of those that matter."""
    scoring = [condition for condition in conditions if condition.points is not None]
    work = 0
    for first, second in combinations(scoring, 2):
        if matters(first, second):
            work += len(first.tests) * len(second.clauses)
            if work > _MOST_TESTS or not exclude_each_other(first, second, cardinalities):
                return second
    return None


def exclude_each_other(
    first: RespCondition, second: RespCondition, cardinalities: Mapping[str, str]
) -> bool:
    """Return whether no answer meets two conditions, of which the second is the later."""
    if second.is_fallback:
        return True
    if second.unanswered:
        return all(_needs_any(clause, second.unanswered) for clause in first.clauses or ((),))
    return not any(
        _can_both_hold(clause, other, cardinalities)
        for clause in first.clauses or ((),)
        for other in second.clauses or ((),)
    )


def _needs_any(clause: Clause, responses: Collection[str]) -> bool:
    """Return whether a clause holds only where one of these responses has a value."""
    return any(test.must_hold and test.response in responses for test in clause)


def _can_both_hold(clause: Clause, other: Clause, cardinalities: Mapping[str, str]) -> bool:
    responses = {test.response for test in clause} & {test.response for test in other}
    return not any(
        _contradict(
            [test for test in clause if test.response == response],
            [test for test in other if test.response == response],
            cardinalities.get(response, "single"),
        )
        for response in responses
    )


def _contradict(
    tests: Sequence[ResponseTest], others: Sequence[ResponseTest], cardinality: str
) -> bool:
    """Return whether no value of one response meets these tests and the others."""
    signs = {(test.operator, _fold(test.operand), test.must_hold) for test in tests}
    other_signs = {(test.operator, _fold(test.operand), not test.must_hold) for test in others}
    if signs & other_signs:
        return True
    values, other_values = _list_values(tests), _list_values(others)
    if cardinality == "ordered":
        return len(values) == len(other_values) > 1 and values != other_values
    if cardinality == "multiple":  # one value may meet these tests, and another value the others
        return False
    return (
        (bool(values and other_values) and {*values}.isdisjoint(other_values))
        or _are_apart(_find_ends(tests), _find_ends(others))
        or _lacks_part(tests, others)
        or _lacks_part(others, tests)
    )


def _find_ends(tests: Iterable[ResponseTest]) -> tuple[_End, _End] | None:
    """Return the lowest and the highest number that meet tests; None where none names a number."""
    numbers = [
        (test.operator, number)
        for test in tests
        if test.must_hold and (number := parse_number(test.operand)) is not None
    ]
    lows = [(number, int(sign == ">")) for sign, number in numbers if sign in {"=", ">", ">="}]
    highs = [(number, -int(sign == "<")) for sign, number in numbers if sign in {"=", "<", "<="}]
    if not lows and not highs:
        return None
    return max(lows, default=_LOWEST), min(highs, default=_HIGHEST)


def _are_apart(ends: tuple[_End, _End] | None, others: tuple[_End, _End] | None) -> bool:
    return bool(ends and others and (ends[0] > others[1] or others[0] > ends[1]))


def _lacks_part(tests: Sequence[ResponseTest], others: Sequence[ResponseTest]) -> bool:
    """Return whether others name whole texts, of which none has the part that a test asks for."""
    parts = [test.operand.casefold() for test in tests if test.must_hold and test.operator == "in"]
    texts = [test.operand.casefold() for test in others if test.must_hold and test.operator == "="]
    return bool(texts) and any(part not in text for part in parts for text in texts)


def _list_values(tests: Iterable[ResponseTest]) -> list[Fraction | str]:
    return [_fold(test.operand) for test in tests if test.must_hold and test.operator == "="]


def _fold(operand: str) -> Fraction | str:
    """Return a value so that two that may mean the same are equal."""
    number = parse_number(operand)
    return operand.casefold() if number is None else number
