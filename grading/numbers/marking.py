"""Marking a number: the first accepted one that it meets counts, less what its unit costs."""

from fractions import Fraction

from grading.contract import NOTHING, Json, Line, Mark, ratio_from_json
from grading.numbers.numerals import Numeral
from grading.numbers.structure import (
    NO_UNIT,
    NUMBER,
    OTHERWISE,
    REQUIRED,
    WRONG_UNIT,
    Accepted,
    Rule,
)
from grading.partial import verdict

UNANSWERED = "unanswered"
MATCHED = "number_accepted"
NOT_MATCHED = "number_not_accepted"
TOO_FEW_DIGITS = "too_few_digits"
CAUSES = frozenset({NOT_MATCHED, TOO_FEW_DIGITS, NO_UNIT, WRONG_UNIT})


def mark(rule: Rule, answer: Json) -> Mark:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError.

    Lines: the row that was met, by its id; or `otherwise`. Where the unit is missing or unknown:
    `no_unit` or `wrong_unit`, beside `number` if the number taken by itself is right.
    """
    if answer is None:
        return _mark(UNANSWERED, _line(NUMBER, UNANSWERED, NOTHING, chosen=False, right=None))
    given = canonical(answer)
    factor = rule.factor(given.unit)
    if given.unit and factor is None:
        return _without_unit(rule, given, WRONG_UNIT)
    if not given.unit and rule.unit == REQUIRED:
        return _without_unit(rule, given, NO_UNIT)
    row, reason = _met(rule, given, 1 if factor is None else factor)
    if row is None:
        return _mark(verdict(NOTHING), _line(OTHERWISE, reason, NOTHING, right=False))
    line = _line(row.id, reason, row.credit, right=bool(row.credit))
    return _mark(verdict(row.credit), line)


def canonical(answer: Json) -> Numeral:
    """Give what a canonical answer says; another form: ValueError."""
    match answer:
        case {"typed": str(), "number": number, "digits": int(digits), "unit": str(unit)}:
            return Numeral(ratio_from_json(number), digits, unit)
    raise ValueError("not a canonical answer")


def _met(rule: Rule, given: Numeral, factor: Fraction | int) -> tuple[Accepted | None, str]:
    """Find the first row that the number meets, else say why there is none."""
    number, rough = given.number * factor, False
    for row in rule.accepted:
        if row.target.meets(number):
            if not row.target.lacks_digits(given.digits):
                return row, MATCHED
            rough = True
    return None, TOO_FEW_DIGITS if rough else NOT_MATCHED


def _without_unit(rule: Rule, given: Numeral, cause: str) -> Mark:
    """Mark a number by itself, as if in the unit that values are in, and keep what that may."""
    row, reason = _met(rule, given, 1)
    if row is None:
        number, earned = _line(OTHERWISE, reason, NOTHING, right=False), NOTHING
    else:
        number, earned = Line(NUMBER, None, None, row.credit, reason), row.credit
    kept = earned * rule.unit_credit
    return _mark(verdict(kept), number, _line(cause, cause, kept - earned, right=False))


def _line(
    part: str, reason: str, earned: Fraction, *, right: bool | None, chosen: bool = True
) -> Line:
    return Line(part, chosen, right, earned, reason)


def _mark(said: str, *lines: Line) -> Mark:
    causes = (line.reason for line in lines if line.reason in CAUSES)
    credit = sum((line.earned for line in lines), NOTHING)
    return Mark(credit, lines, (said, *causes))
