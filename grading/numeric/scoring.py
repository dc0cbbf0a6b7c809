"""Marking a number: the first accepted one that it meets counts, less what its unit costs."""

from fractions import Fraction
from functools import partial

from grading.contract import ONE, UNANSWERED, ZERO, ItemScore, LedgerLine
from grading.json_types import Answer, Json, ratio_from_json
from grading.lower_bound import list_clamps
from grading.numeric.numerals import Numeral
from grading.numeric.readings import load_answer, score_readings
from grading.numeric.structure import (
    NO_UNIT,
    NUMBER,
    OTHERWISE,
    REQUIRED,
    WRONG_UNIT,
    AcceptedNumber,
    NumericRule,
)
from grading.partial_credit import credit_code

MATCHED = "number_accepted"
MATCHED_PARTLY = "accepted_partly"
MATCHED_WRONG = "known_wrong"
NOT_MATCHED = "number_not_accepted"
TOO_FEW_DIGITS = "too_few_digits"
CAUSES = frozenset({NOT_MATCHED, TOO_FEW_DIGITS, NO_UNIT, WRONG_UNIT})


def score(rule: NumericRule, answer: Json, lower_bound: Fraction = ZERO) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError.

    It earns `lower_bound` at least.
    Lines: the row that was met, by its id; or `otherwise`. Where the unit is missing or unknown:
    `no_unit` or `wrong_unit`, beside `number` if the number taken by itself is right. `reading`
    where the writer did not say which of two numbers is meant, and not the language's counts.
    """
    if answer is None:
        line = _line(NUMBER, UNANSWERED, ZERO, chosen=False, right=None)
        return ItemScore(ZERO, (line,), (UNANSWERED,))
    return score_readings(load_answer(answer), partial(_score_number, rule, lower_bound))


def _score_number(rule: NumericRule, lower_bound: Fraction, answer: Answer) -> ItemScore:
    numeral = load_numeral(answer)
    factor = rule.factor(numeral.unit)
    if numeral.unit and factor is None:
        return _build_score(lower_bound, *_list_without_unit(rule, numeral, WRONG_UNIT))
    if not numeral.unit and rule.unit == REQUIRED:
        return _build_score(lower_bound, *_list_without_unit(rule, numeral, NO_UNIT))
    row, reason = _find_row(rule, numeral, 1 if factor is None else factor)
    if row is None:
        return _build_score(lower_bound, _line(OTHERWISE, reason, ZERO, right=False))
    return _build_score(lower_bound, _line(row.id, reason, row.credit, right=row.credit > 0))


def load_numeral(answer: Json) -> Numeral:
    """Return what a canonical answer says; another form: ValueError."""
    match answer:
        case {"typed": str(), "number": number, "digits": int(digits), "unit": str(unit)}:
            return Numeral(ratio_from_json(number), digits, unit)
    raise ValueError("not a canonical answer")


def _find_row(
    rule: NumericRule, numeral: Numeral, factor: Fraction | int
) -> tuple[AcceptedNumber | None, str]:
    """Return the first row that the number meets and its reason; None and the cause otherwise."""
    number, rough = numeral.number * factor, False
    for row in rule.accepted:
        if row.target.meets(number):
            if not row.target.lacks_digits(numeral.digits):
                return row, _matched_reason(row.credit)
            rough = True
    return None, TOO_FEW_DIGITS if rough else NOT_MATCHED


def _matched_reason(credit: Fraction) -> str:
    """Return what a number is that an author lists with this credit."""
    if credit == ONE:
        return MATCHED
    return MATCHED_PARTLY if credit > 0 else MATCHED_WRONG


def _list_without_unit(
    rule: NumericRule, numeral: Numeral, cause: str
) -> tuple[LedgerLine, LedgerLine]:
    """Return the lines of a number as if in the base unit, and of what its unit costs.

    A number that costs points costs them whatever its unit is.
    """
    row, reason = _find_row(rule, numeral, 1)
    if row is None:
        number, earned = _line(OTHERWISE, reason, ZERO, right=False), ZERO
    else:
        number, earned = LedgerLine(NUMBER, None, None, row.credit, reason), row.credit
    credit = earned * rule.unit_credit if earned > 0 else earned
    return number, _line(cause, cause, credit - earned, right=False)


def _line(
    part: str, reason: str, earned: Fraction, *, right: bool | None, chosen: bool = True
) -> LedgerLine:
    return LedgerLine(part, chosen, right, earned, reason)


def _build_score(lower_bound: Fraction, *lines: LedgerLine) -> ItemScore:
    earned = sum((line.earned for line in lines), ZERO)
    clamps = list_clamps(earned, lower_bound)
    causes = (line.reason for line in lines if line.reason in CAUSES)
    credit = max(earned, lower_bound)
    reasons = (credit_code(credit), *causes, *(clamp.reason for clamp in clamps))
    return ItemScore(credit, (*lines, *clamps), reasons)
