"""The ledger of each scoring method: what a decision earns, and which rules then adjust the sum.

Told apart from the formulas of `grading.partial`, so that a mark checks the one against the other.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from grading.contract import LedgerLine
from grading.partial import (
    ALL_OR_NOTHING,
    COVERAGE,
    EACH_OPTION,
    HALVES,
    HALVES_NEEDS,
    MINUS_MISSED,
    RIGHT_MINUS_WRONG,
    Counts,
)

RIGHT_CHOSEN = "right_chosen"
WRONG_CHOSEN = "wrong_chosen"
MISSED = "missed"
RIGHTLY_LEFT = "rightly_left"
REASONS = {
    (True, True): RIGHT_CHOSEN,
    (True, False): WRONG_CHOSEN,
    (False, True): MISSED,
    (False, False): RIGHTLY_LEFT,
}
"""How an option was decided, by whether it was chosen and whether it is right."""

START = "start"
"""Where halving starts from; no cause of anything, so no reason of a mark."""

Rates = dict[str, Fraction]


def rates(method: str, counts: Counts) -> Rates:
    """Return what one option earns by how it was decided; what is not named earns nothing."""
    return _RATES[method](counts)


def adjusting(method: str, counts: Counts) -> list[LedgerLine]:
    """Return the lines of rules that make the ledger's sum the credit."""
    return _ADJUSTING[method](counts) if method in _ADJUSTING else []


def clamped(earned: Fraction) -> list[LedgerLine]:
    """Return the line that lifts a sum to 0 or cuts it down to 1, where one is needed."""
    if earned < 0:
        return [rule("floor", -earned, "not_below_zero")]
    if earned > 1:
        return [rule("ceiling", 1 - earned, "not_above_one")]
    return []


def rule(part: str, earned: Fraction, reason: str) -> LedgerLine:
    """Return the line of a rule, which nobody chose and which is neither right nor wrong."""
    return LedgerLine(part, None, None, earned, reason)


def _hits(counts: Counts) -> Rates:
    return {RIGHT_CHOSEN: Fraction(1, counts.right)}


def _hits_minus_wrong(counts: Counts) -> Rates:
    return _hits(counts) | {WRONG_CHOSEN: Fraction(-1, counts.right)}


def _hits_minus_errors(counts: Counts) -> Rates:
    return _hits_minus_wrong(counts) | {MISSED: Fraction(-1, counts.right)}


def _decisions(counts: Counts) -> Rates:
    each = Fraction(1, counts.options)
    return {RIGHT_CHOSEN: each, RIGHTLY_LEFT: each}


def _diluted_hits(counts: Counts) -> Rates:
    chosen = counts.right_chosen + counts.wrong_chosen
    return {RIGHT_CHOSEN: Fraction(counts.right_chosen, counts.right * chosen)}


def _nothing(_: Counts) -> Rates:
    return {}


_RATES: Mapping[str, Callable[[Counts], Rates]] = {
    RIGHT_MINUS_WRONG: _hits_minus_wrong,
    ALL_OR_NOTHING: _hits,
    EACH_OPTION: _decisions,
    COVERAGE: _diluted_hits,
    HALVES: _nothing,
    MINUS_MISSED: _hits_minus_errors,
}


def _all_or_nothing(counts: Counts) -> list[LedgerLine]:
    if counts.errors and counts.right_chosen:
        deduction = Fraction(-counts.right_chosen, counts.right)
        return [rule("all_or_nothing", deduction, "not_all_right")]
    return []


def _floor_of_wrong(counts: Counts) -> list[LedgerLine]:
    return clamped(Fraction(counts.right_chosen - counts.wrong_chosen, counts.right))


def _floor_of_errors(counts: Counts) -> list[LedgerLine]:
    return clamped(Fraction(counts.right_chosen - counts.errors, counts.right))


def _halvings(counts: Counts) -> list[LedgerLine]:
    """Start from everything; the first errors halve what is left, one error too many takes it."""
    lines, left = [rule(START, Fraction(1), START)], Fraction(1)
    for needs, name in zip(HALVES_NEEDS, ("first_error", "second_error"), strict=True):
        if len(lines) <= counts.errors and counts.options > needs:
            left /= 2
            lines.append(rule(name, -left, name))
    if len(lines) <= counts.errors:
        lines.append(rule("too_many_errors", -left, "too_many_errors"))
    return lines


_ADJUSTING: Mapping[str, Callable[[Counts], list[LedgerLine]]] = {
    ALL_OR_NOTHING: _all_or_nothing,
    RIGHT_MINUS_WRONG: _floor_of_wrong,
    MINUS_MISSED: _floor_of_errors,
    HALVES: _halvings,
}
