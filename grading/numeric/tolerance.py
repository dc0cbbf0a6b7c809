"""How near is near enough: exact, within an amount, a part, a number of digits, or a range.

Bounds are inclusive, and all of it is exact: 0.3 within 0.1 of 0.2 is 0.3, not 0.30000000000000004.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

EXACT = "exact"
ABSOLUTE = "absolute"
RELATIVE = "relative"
DIGITS = "digits"
RANGE = "range"
TOLERANCES = (EXACT, ABSOLUTE, RELATIVE, DIGITS, RANGE)

MAX_DIGITS = 30


@dataclass(frozen=True)  # no slots: what is worked out once, stays
class Target:
    """A value and what counts as it.

    `margin` is the amount of `absolute`, the part of the value of `relative` (of 0, nothing but 0),
    the number of significant digits of `digits`, the other end of `range`; `exact` has none (0).
    """

    value: Fraction
    tolerance: str = EXACT
    margin: Fraction = Fraction(0)

    def meets(self, number: Fraction) -> bool:
        """Return whether a number is near enough, whatever the digits it was written with.

        `digits`: both, rounded to so many significant digits, are equal.
        """
        if self.tolerance == DIGITS:
            return round_to_digits(number, int(self.margin)) == self._middle
        low, high = self.bounds
        return low <= number <= high

    def lacks_digits(self, digits: int) -> bool:
        """Return whether a number of so many written digits is too roughly written.

        Who asks for three significant digits is not content with `3`, or with `0.5` for 0.500;
        more digits than asked for are fine, if they round to it. A fraction (0 digits) is exact,
        and 0 has no significant digits to ask for.
        """
        return self.tolerance == DIGITS and self.value != 0 and 0 < digits < self.margin

    @cached_property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest number that could count."""
        match self.tolerance:
            case "absolute":
                return self.value - self.margin, self.value + self.margin
            case "relative":
                around = abs(self.value) * self.margin
                return self.value - around, self.value + around
            case "range":
                return self.value, self.margin
            case "digits":
                half = _unit_of_last_digit(self._middle, int(self.margin)) / 2
                return self._middle - half, self._middle + half
        return self.value, self.value

    @cached_property
    def _middle(self) -> Fraction:
        return round_to_digits(self.value, int(self.margin))


def round_to_digits(number: Fraction, digits: int) -> Fraction:
    """Round to so many significant digits, halves away from zero, as is taught; 0 stays 0."""
    last = magnitude(number) - digits + 1
    above, below = abs(number.numerator), number.denominator
    up, down = 10 ** max(0, -last), 10 ** max(0, last)
    units = (2 * above * up + below * down) // (2 * below * down)
    return Fraction(units * down if number >= 0 else -units * down, up)


def magnitude(number: Fraction) -> int:
    """Return the power of ten of the first digit: 0 for 9.99, -1 for 0.1; 0 for 0."""
    if not number:
        return 0
    above, below = abs(number.numerator), number.denominator
    guess = len(str(above)) - len(str(below))
    return guess if above * 10 ** max(0, -guess) >= below * 10 ** max(0, guess) else guess - 1


def _unit_of_last_digit(number: Fraction, digits: int) -> Fraction:
    return Fraction(10) ** (magnitude(number) - digits + 1)
