"""Whether the order of an item's conditions matters: one may undo what another before it gave."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    if _refuse_each_other(tests, others):
        return True
    if cardinality == "ordered":
        values, other_values = _list_values(tests), _list_values(others)
        return len(values) == len(other_values) > 1 and values != other_values
    if cardinality == "multiple":  # one value may meet these tests, and another value the others
        return False
    return (
        _name_different_values(tests, others)
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


def _refuse_each_other(tests: Sequence[ResponseTest], others: Sequence[ResponseTest]) -> bool:
    """Return whether all that meets a test here is refused by one there, or the other way round."""
    refused, refused_here = ({*_list_refused(each)} for each in (others, tests))
    return any(
        not refused_values.isdisjoint(_list_accepted(test))
        for accepting, refused_values in ((tests, refused), (others, refused_here))
        for test in accepting
        if test.must_hold
    )


def _list_refused(tests: Iterable[ResponseTest]) -> Iterator[tuple[str, Fraction | str, bool]]:
    """Yield what tests refuse: the operator, the value, whether case counts."""
    for test in tests:
        if not test.must_hold:
            yield (test.operator, *_read_value(test))


def _list_accepted(test: ResponseTest) -> Iterator[tuple[str, Fraction | str, bool]]:
    """Yield what would refuse all that meets a test: itself, or the same in any case."""
    value, case = _read_value(test)
    yield (test.operator, value, case)
    if isinstance(value, str):
        yield (test.operator, value.casefold(), False)


def _read_value(test: ResponseTest) -> tuple[Fraction | str, bool]:
    """Return the value of a test so that two that mean the same are equal, and whether case counts.

    Blanks around a word count where it is typed.
    """
    number = parse_number(test.operand)
    if number is not None and (test.is_number or test.operator not in {"=", "in"}):
        return number, False
    text = test.typed or test.operand
    return (text, True) if test.case else (text.casefold(), False)


def _list_values(tests: Iterable[ResponseTest]) -> list[Fraction | str]:
    return [_fold(test) for test in tests if test.must_hold and test.operator == "="]


def _name_different_values(tests: Iterable[ResponseTest], others: Iterable[ResponseTest]) -> bool:
    """Return whether both name values, and no value that one names is meant by the other."""
    named, others_named = (
        [test for test in each if test.must_hold and test.operator == "="]
        for each in (tests, others)
    )
    in_any_case, exact = _split_by_case(named)
    others_in_any_case, others_exact = _split_by_case(others_named)
    return (
        bool(named and others_named)
        and in_any_case.isdisjoint({*map(_fold, others_named)})
        and others_in_any_case.isdisjoint({*map(_fold, named)})
        and exact.isdisjoint(others_exact)
    )


def _split_by_case(
    tests: Iterable[ResponseTest],
) -> tuple[set[Fraction | str], set[Fraction | str]]:
    """Return the values of which case does not count, and those of which it does."""
    in_any_case, exact = set[Fraction | str](), set[Fraction | str]()
    for test in tests:
        value, has_case = _read_value(test)
        (exact if has_case else in_any_case).add(value if has_case else _fold(test))
    return in_any_case, exact


def _fold(test: ResponseTest) -> Fraction | str:
    """Return the value of a test so that two that may mean the same are equal."""
    number = parse_number(test.operand) if test.is_number else None
    return test.operand.casefold() if number is None else number
