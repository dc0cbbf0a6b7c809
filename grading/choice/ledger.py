"""The ledger of each scoring method: what a decision earns, and which rules then adjust the sum.

Computed apart from the formulas of `grading.partial_credit`, so that each checks the other.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from grading.contract import ZERO, LedgerLine, build_rule
from grading.lower_bound import list_clamps
from grading.partial_credit import (
    ALL_OR_NOTHING,
    COVERAGE,
    EACH_OPTION,
    HALVES,
    HALVES_MIN_OPTIONS,
    MINUS_MISSED,
    RIGHT_MINUS_WRONG,
    OptionCounts,
)

RIGHT_CHOSEN = "right_chosen"
WRONG_CHOSEN = "wrong_chosen"
MISSED = "missed"
RIGHTLY_LEFT = "rightly_left"
PARTLY_RIGHT_CHOSEN = "partly_right_chosen"
NOT_CHOSEN = "not_chosen"
"""Of an option whose weight is above zero although the key does not call it right."""
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


def list_rates(method: str, counts: OptionCounts) -> Rates:
    """Return what one option earns by how it was decided; what is not named earns nothing."""
    return _RATES[method](counts)


def list_adjustments(
    method: str, counts: OptionCounts, lower_bound: Fraction = ZERO
) -> list[LedgerLine]:
    """Return the lines of rules that make the ledger's sum the credit."""
    if method in _SUMS:
        return list_clamps(_SUMS[method](counts), lower_bound)
    return _ADJUSTING[method](counts) if method in _ADJUSTING else []


def _hits(counts: OptionCounts) -> Rates:
    return {RIGHT_CHOSEN: Fraction(1, counts.right)}


def _hits_minus_wrong(counts: OptionCounts) -> Rates:
    return _hits(counts) | {WRONG_CHOSEN: Fraction(-1, counts.right)}


def _hits_minus_errors(counts: OptionCounts) -> Rates:
    return _hits_minus_wrong(counts) | {MISSED: Fraction(-1, counts.right)}


def _decisions(counts: OptionCounts) -> Rates:
    each = Fraction(1, counts.options)
    return {RIGHT_CHOSEN: each, RIGHTLY_LEFT: each}


def _diluted_hits(counts: OptionCounts) -> Rates:
    chosen = counts.true_positives + counts.false_positives
    return {RIGHT_CHOSEN: Fraction(counts.true_positives, counts.right * chosen)}


def _nothing(_: OptionCounts) -> Rates:
    return {}


_RATES: Mapping[str, Callable[[OptionCounts], Rates]] = {
    RIGHT_MINUS_WRONG: _hits_minus_wrong,
    ALL_OR_NOTHING: _hits,
    EACH_OPTION: _decisions,
    COVERAGE: _diluted_hits,
    HALVES: _nothing,
    MINUS_MISSED: _hits_minus_errors,
}


def _all_or_nothing(counts: OptionCounts) -> list[LedgerLine]:
    if counts.errors and counts.true_positives:
        deduction = Fraction(-counts.true_positives, counts.right)
        return [build_rule("all_or_nothing", deduction, "not_all_right")]
    return []


def _sum_right_and_wrong(counts: OptionCounts) -> Fraction:
    return Fraction(counts.true_positives - counts.false_positives, counts.right)


def _sum_right_and_errors(counts: OptionCounts) -> Fraction:
    return Fraction(counts.true_positives - counts.errors, counts.right)


_SUMS: Mapping[str, Callable[[OptionCounts], Fraction]] = {
    RIGHT_MINUS_WRONG: _sum_right_and_wrong,
    MINUS_MISSED: _sum_right_and_errors,
}
"""What the options earn together, before it is limited."""


def _halvings(counts: OptionCounts) -> list[LedgerLine]:
    """Start from everything; the first errors halve what is left, one error too many takes it."""
    lines, left = [build_rule(START, Fraction(1), START)], Fraction(1)
    for needs, name in zip(HALVES_MIN_OPTIONS, ("first_error", "second_error"), strict=True):
        if len(lines) <= counts.errors and counts.options > needs:
            left /= 2
            lines.append(build_rule(name, -left, name))
    if len(lines) <= counts.errors:
        lines.append(build_rule("too_many_errors", -left, "too_many_errors"))
    return lines


_ADJUSTING: Mapping[str, Callable[[OptionCounts], list[LedgerLine]]] = {
    ALL_OR_NOTHING: _all_or_nothing,
    HALVES: _halvings,
}
