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

HALVES_NEEDS = (2, 4)
"""The first error leaves credit only with more than two options, the second with more than four."""


@dataclass(frozen=True, slots=True)
class Counts:
    """An answer in numbers; there is something right, and something was chosen."""

    options: int
    right: int
    right_chosen: int
    wrong_chosen: int

    @property
    def missed(self) -> int:
        """The right options that were not chosen."""
        return self.right - self.right_chosen

    @property
    def rightly_left(self) -> int:
        """The wrong options that were not chosen."""
        return self.options - self.right - self.wrong_chosen

    @property
    def errors(self) -> int:
        """The options decided wrongly, either way."""
        return self.missed + self.wrong_chosen


def credit(method: str, counts: Counts) -> Fraction:
    """Return the credit of an answer, from 0 to 1; a name not in `SCORING_METHODS`: KeyError."""
    return SCORING_METHODS[method](counts)


def weighted(weights: Iterable[Fraction]) -> Fraction:
    """Return the sum of the chosen options' weights, limited to 0 to 1."""
    return min(ONE, _floor(sum(weights, ZERO)))


def verdict(due: Fraction) -> str:
    """Return what an answer earned as a code, the first reason of its mark."""
    if due == ONE:
        return "full_credit"
    return "partial_credit" if due else "no_credit"


def _floor(value: Fraction) -> Fraction:
    return max(ZERO, value)


def _all_or_nothing(counts: Counts) -> Fraction:
    return ZERO if counts.errors else ONE


def _right_minus_wrong(counts: Counts) -> Fraction:
    return _floor(Fraction(counts.right_chosen - counts.wrong_chosen, counts.right))


def _each_option(counts: Counts) -> Fraction:
    return Fraction(counts.right_chosen + counts.rightly_left, counts.options)


def _coverage(counts: Counts) -> Fraction:
    chosen = counts.right_chosen + counts.wrong_chosen
    return Fraction(counts.right_chosen**2, counts.right * chosen)


def _halves(counts: Counts) -> Fraction:
    if counts.errors == 0:
        return ONE
    forgiven = counts.errors <= len(HALVES_NEEDS)
    if forgiven and counts.options > HALVES_NEEDS[counts.errors - 1]:
        return Fraction(1, 2**counts.errors)
    return ZERO


def _minus_missed(counts: Counts) -> Fraction:
    return _floor(Fraction(counts.right_chosen - counts.errors, counts.right))


SCORING_METHODS: Mapping[str, Callable[[Counts], Fraction]] = {
    RIGHT_MINUS_WRONG: _right_minus_wrong,
    ALL_OR_NOTHING: _all_or_nothing,
    EACH_OPTION: _each_option,
    COVERAGE: _coverage,
    HALVES: _halves,
    MINUS_MISSED: _minus_missed,
}
