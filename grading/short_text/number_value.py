"""The value of a typed text that is a number, for answers that are compared by value."""

from fractions import Fraction

from grading.numeric.exact import parse_exact
from grading.numeric.numeral_error import NumeralError
from grading.numeric.numerals import parse_numeral


def read_number(text: str) -> Fraction | None:
    """Return the number that a text is: 0.5, .5, 0,5, 1/2, 5e-1; None for any other text.

    A point parts the decimals where it could part thousands, too, as authors write numbers.
    """
    try:
        return parse_exact(text)
    except ValueError:
        pass
    try:
        numeral = parse_numeral(text, "")
    except NumeralError:
        return None
    return None if numeral.unit else numeral.number
