"""The rows of accepted numbers and of units, read from JSON together with what is wrong with them.

`parsing`, `scoring` and `correct_answers` take a `NumericRule`, so that a gap has its own as well.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grading.contract import ONE, Problem
from grading.json_types import Json, ratio_from_json
from grading.numeric.exact import parse_exact
from grading.numeric.folding import fold_unit
from grading.numeric.readings import READING
from grading.numeric.tolerance import DIGITS, EXACT, MAX_DIGITS, RANGE, TOLERANCES, Target
from grading.parsing import RowReader, require_valid

NONE, OPTIONAL, REQUIRED = "none", "optional", "required"
UNIT_POLICIES = (NONE, OPTIONAL, REQUIRED)
"""Whether a unit may be typed, or must."""

NUMBER, OTHERWISE, NO_UNIT, WRONG_UNIT = "number", "otherwise", "no_unit", "wrong_unit"
RULE_PARTS = frozenset({NUMBER, OTHERWISE, NO_UNIT, WRONG_UNIT, READING})
"""Names of the ledger's lines for rules: what no row may be called."""


@dataclass(frozen=True, slots=True)
class AcceptedNumber:
    """One number that earns something; `target` is in the unit whose factor is 1."""

    id: str
    target: Target
    credit: Fraction


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its folded symbol; a number in it times the factor is what is compared.

    `spelling` is the symbol as the author writes it.
    """

    id: str
    spelling: str
    factor: Fraction

    @property
    def symbol(self) -> str:
        """The symbol as it is compared."""
        return fold_unit(self.spelling)


@dataclass(frozen=True, slots=True)
class NumericRule:
    """All that marks a number. `unit_credit`: what a right number keeps without a right unit."""

    accepted: tuple[AcceptedNumber, ...]
    units: tuple[Unit, ...] = ()
    unit: str = NONE
    unit_credit: Fraction = Fraction(0)

    def factor(self, symbol: str) -> Fraction | None:
        """Return what a number in this unit is multiplied with; None for an unknown unit."""
        return next((unit.factor for unit in self.units if unit.symbol == symbol), None)


def load_rule(
    unit: Json, numbers: Json, units: Json = (), unit_credit: Json = (0, 1)
) -> NumericRule:
    """Read what has passed its check; else ValueError. A key marks many answers: it is kept."""
    return _rule(json.dumps([unit, numbers, units, unit_credit]))


@lru_cache(maxsize=1024)
def _rule(parts: str) -> NumericRule:
    return require_valid(parse_rule(*json.loads(parts)))


def parse_rule(
    unit: Json, numbers: Json, units: Json = (), unit_credit: Json = (0, 1)
) -> tuple[NumericRule, tuple[Problem, ...]]:
    """Read what can be read, and name what cannot, of any JSON; `where` is a row's table and id.

    `unit` none, optional or required; `numbers` and `units` lists of rows; `unit_credit` a ratio.
    """
    problems: list[Problem] = []
    rows = RowReader(problems, RULE_PARTS, skip_repeated=True)
    accepted = [_accepted(*row, problems) for row in list(rows.read(numbers, "numbers"))]
    parsed_units = [_unit(*row, problems) for row in list(rows.read(units, "units"))]
    parsed_rule = NumericRule(
        tuple(row for row in accepted if row is not None),
        tuple(row for row in parsed_units if row is not None),
        unit if isinstance(unit, str) and unit in UNIT_POLICIES else NONE,
        _credit(unit_credit, "unit_credit", problems, least=0),
    )
    if parsed_rule.unit != unit:
        problems.append(Problem("unit", "unknown_choice", {}))
    return parsed_rule, tuple(problems)


def _accepted(id_: str, row: Mapping[str, Json], problems: list[Problem]) -> AcceptedNumber | None:
    where, before = f"numbers.{id_}", len(problems)
    credit = _credit(row.get("credit", [1, 1]), where, problems, least=-1)
    tolerance = row.get("tolerance", EXACT)
    if not isinstance(tolerance, str) or tolerance not in TOLERANCES:
        problems.append(Problem(where, "unknown_tolerance", {}))
        return None
    value = _number(row.get("value"), where, "value", problems)
    margin = _margin(tolerance, row.get("margin") or "", where, problems)
    if value is None or margin is None:
        return None
    problems.extend(Problem(where, code, {}) for code in _senseless(value, tolerance, margin))
    if len(problems) > before:
        return None
    return AcceptedNumber(id_, Target(value, tolerance, margin), credit)


def _margin(tolerance: str, text: Json, where: str, problems: list[Problem]) -> Fraction | None:
    if tolerance != EXACT:
        return _number(text, where, "margin", problems)
    if text:
        problems.append(Problem(where, "margin_unused", {}))
    return Fraction(0)


def _senseless(value: Fraction, tolerance: str, margin: Fraction) -> Iterator[str]:
    if tolerance == RANGE:
        if margin < value:
            yield "empty_range"
    elif tolerance == DIGITS:
        if margin.denominator != 1 or not 1 <= margin <= MAX_DIGITS:
            yield "digits_out_of_range"
    elif margin < 0:
        yield "margin_below_zero"


def _number(text: Json, where: str, field: str, problems: list[Problem]) -> Fraction | None:
    if isinstance(text, str):
        try:
            return parse_exact(text)
        except ValueError:
            pass
    missing = "missing" if text in ("", None) else "unreadable"
    problems.append(Problem(where, f"{field}_{missing}", {}))
    return None


def _credit(stored: Json, where: str, problems: list[Problem], *, least: int) -> Fraction:
    try:
        credit = ratio_from_json(stored)
    except ValueError:
        problems.append(Problem(where, "credit_is_no_ratio", {}))
        return ONE
    if not least <= credit <= 1:
        problems.append(Problem(where, "credit_out_of_range", {}))
    return credit


def _unit(id_: str, row: Mapping[str, Json], problems: list[Problem]) -> Unit | None:
    where, symbol = f"units.{id_}", row.get("symbol")
    factor = _number(row.get("factor", "1"), where, "factor", problems)
    if factor is not None and factor <= 0:
        problems.append(Problem(where, "factor_not_positive", {}))
    if not isinstance(symbol, str) or not symbol.strip():
        problems.append(Problem(where, "symbol_missing", {}))
        return None
    return None if factor is None else Unit(id_, symbol.strip(), factor)
