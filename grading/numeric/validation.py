"""What keeps accepted numbers and units from making sense together, each problem at its row."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from grading.contract import Problem
from grading.json_types import Json
from grading.numeric.correct_answers import LANGUAGE, has_correct_answer
from grading.numeric.formatting import format_number
from grading.numeric.numeral_error import NumeralError
from grading.numeric.numerals import parse_numeral
from grading.numeric.structure import NONE, AcceptedNumber, NumericRule, Unit, parse_rule
from grading.numeric.tolerance import DIGITS

MAX_ROWS = 100


def validate(
    unit: Json, numbers: Json, units: Json = (), unit_credit: Json = (0, 1)
) -> tuple[Problem, ...]:
    """Return all problems of any JSON; what `load_rule` then reads has a model answer."""
    rule, problems = parse_rule(unit, numbers, units, unit_credit)
    rows_are_read = not any(problem.where.startswith("numbers") for problem in problems)
    unit_problems = tuple(_units(rule))
    return (
        *problems,
        *unit_problems,
        *(_numbers(rule) if rows_are_read else ()),
        *(() if problems or unit_problems else _reach(rule)),
    )


def _numbers(rule: NumericRule) -> Iterator[Problem]:
    if not rule.accepted:
        yield Problem("numbers", "nothing_accepted", {})
    elif all(row.credit < 1 for row in rule.accepted):
        yield Problem("numbers", "no_full_credit", {})
    for table, rows in (("numbers", rule.accepted), ("units", rule.units)):
        if len(rows) > MAX_ROWS:
            yield Problem(table, "too_many_rows", {"maximum": MAX_ROWS, "found": len(rows)})
            return
    yield from _shadowed(rule.accepted)


def _shadowed(rows: Sequence[AcceptedNumber]) -> Iterator[Problem]:
    before = {late.id: early for early, late in combinations(rows, 2) if _covers(early, late)}
    for row in rows:
        if row.id in before:
            value = format_number(before[row.id].target.value, LANGUAGE)
            yield Problem(f"numbers.{row.id}", "never_reached", {"by": value})


def _covers(early: AcceptedNumber, late: AcceptedNumber) -> bool:
    """Return whether what the later row accepts, the earlier one always took before.

    One that asks for digits lets roughly written numbers pass on, so it covers nothing for sure.
    """
    if early.target.tolerance == DIGITS:
        return False
    (low, high), (least, greatest) = early.target.bounds, late.target.bounds
    return low <= least and greatest <= high


def _units(rule: NumericRule) -> Iterator[Problem]:
    if rule.unit == NONE:
        if rule.units:
            yield Problem("units", "units_unused", {})
    elif not rule.units:
        yield Problem("units", "units_missing", {})
    symbols = set()
    for unit in rule.units:
        if unit.symbol in symbols:
            yield Problem(f"units.{unit.id}", "symbol_twice", {})
        elif not _is_readable(unit):
            yield Problem(f"units.{unit.id}", "symbol_unreadable", {})
        symbols.add(unit.symbol)


def _is_readable(unit: Unit) -> bool:
    try:
        parsed = parse_numeral(f"1 {unit.spelling}", "")
    except NumeralError:
        return False
    return parsed.number == 1 and parsed.unit == unit.symbol


def _reach(rule: NumericRule) -> Iterator[Problem]:
    if any(row.credit == 1 for row in rule.accepted) and not has_correct_answer(rule):
        yield Problem("numbers", "full_credit_blocked", {})
