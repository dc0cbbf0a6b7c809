"""The named scoring methods of partial credit, as formulas over counts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grading.contract import ONE, ZERO

ALL_OR_NOTHING = "all_or_nothing"
RIGHT_MINUS_WRONG = "right_minus_wrong"
EACH_OPTION = "each_option"
COVERAGE = "coverage"
HALVES = "halves"
MINUS_MISSED = "minus_missed"
OPTION_WEIGHTS = "option_weights"

HALVES_MIN_OPTIONS = (2, 4)
"""The first error leaves credit only with more than two options, the second with more than four."""


@dataclass(frozen=True, slots=True)
class OptionCounts:
    """An answer in numbers; there is something right, and something was chosen."""

    options: int
    right: int
    true_positives: int
    false_positives: int

    @property
    def false_negatives(self) -> int:
        """The right options that were not chosen."""
        return self.right - self.true_positives

    @property
    def true_negatives(self) -> int:
        """The wrong options that were not chosen."""
        return self.options - self.right - self.false_positives

    @property
    def errors(self) -> int:
        """The options decided wrongly, either way."""
        return self.false_negatives + self.false_positives


def get_credit(method: str, counts: OptionCounts, lower_bound: Fraction = ZERO) -> Fraction:
    """Return the credit of an answer, from the lower bound to 1.

    A name not in `SCORING_METHODS`: KeyError.
    """
    return max(lower_bound, SCORING_METHODS[method](counts))


def sum_weights(weights: Iterable[Fraction], lower_bound: Fraction = ZERO) -> Fraction:
    """Return the sum of the chosen options' weights, from the lower bound to 1."""
    return min(ONE, max(lower_bound, sum(weights, ZERO)))


def credit_code(credit: Fraction) -> str:
    """Return what an answer earned as a code, the first reason of its mark."""
    if credit == ONE:
        return "full_credit"
    if credit < 0:
        return "negative_credit"
    return "partial_credit" if credit else "no_credit"


def _all_or_nothing(counts: OptionCounts) -> Fraction:
    return ZERO if counts.errors else ONE


def _right_minus_wrong(counts: OptionCounts) -> Fraction:
    return Fraction(counts.true_positives - counts.false_positives, counts.right)


def _each_option(counts: OptionCounts) -> Fraction:
    return Fraction(counts.true_positives + counts.true_negatives, counts.options)


def _coverage(counts: OptionCounts) -> Fraction:
    chosen = counts.true_positives + counts.false_positives
    return Fraction(counts.true_positives**2, counts.right * chosen)


def _halves(counts: OptionCounts) -> Fraction:
    if counts.errors == 0:
        return ONE
    forgiven = counts.errors <= len(HALVES_MIN_OPTIONS)
    if forgiven and counts.options > HALVES_MIN_OPTIONS[counts.errors - 1]:
        return Fraction(1, 2**counts.errors)
    return ZERO


def _minus_missed(counts: OptionCounts) -> Fraction:
    return Fraction(counts.true_positives - counts.errors, counts.right)


SCORING_METHODS: Mapping[str, Callable[[OptionCounts], Fraction]] = {
    RIGHT_MINUS_WRONG: _right_minus_wrong,
    ALL_OR_NOTHING: _all_or_nothing,
    EACH_OPTION: _each_option,
    COVERAGE: _coverage,
    HALVES: _halves,
    MINUS_MISSED: _minus_missed,
}
"""The credit of each method before it is limited: those that count errors may go below zero."""
