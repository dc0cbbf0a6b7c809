"""The model answer of a number: what earns everything, found among what the author accepts."""

from collections.abc import Iterator
from fractions import Fraction

from grading.json_types import Answer
from grading.numeric.formatting import format_number
from grading.numeric.parsing import parse
from grading.numeric.scoring import score
from grading.numeric.separators import DECIMAL
from grading.numeric.structure import NONE, REQUIRED, AcceptedNumber, NumericRule
from grading.numeric.tolerance import DIGITS, RANGE, Target

LANGUAGE = "en"
"""What a model answer is written in; interfaces write its number again in the reader's language."""

TRIED_UNITS = 3


def correct_answer(rule: NumericRule) -> Answer:
    """Return a canonical answer that earns 1; where there is none: ValueError."""
    answer = next(_earning(rule), None)
    if answer is None:
        raise ValueError("nothing earns full credit")
    return answer


def has_correct_answer(rule: NumericRule) -> bool:
    """Return whether some model answer earns 1: earlier rows may keep a right one out of reach."""
    return next(_earning(rule), None) is not None


def _earning(rule: NumericRule) -> Iterator[Answer]:
    for row in rule.accepted:
        for typed in _candidates(rule, row) if row.credit == 1 else ():
            raw = {"typed": typed, "language": LANGUAGE, "separator": DECIMAL}
            answer = parse(rule.unit, raw)
            if isinstance(answer, dict) and score(rule, answer).credit == 1:
                yield answer


def _candidates(rule: NumericRule, row: AcceptedNumber) -> Iterator[str]:
    digits = int(row.target.margin) if row.target.tolerance == DIGITS else 0
    for value in _values(row.target):
        for symbol, factor in _units(rule):
            yield f"{format_number(value / factor, LANGUAGE, digits)} {symbol}".strip()


def _values(target: Target) -> Iterator[Fraction]:
    if target.tolerance == RANGE:
        yield (target.value + target.margin) / 2
    yield target.value


def _units(rule: NumericRule) -> list[tuple[str, Fraction]]:
    """Return the units to write a number in, the base unit first; no unit where that is allowed."""
    if rule.unit == NONE:
        return [("", Fraction(1))]
    units = sorted(rule.units, key=lambda unit: unit.factor != 1)[:TRIED_UNITS]
    bare = [] if rule.unit == REQUIRED else [("", Fraction(1))]
    return [(unit.spelling, unit.factor) for unit in units] + bare
