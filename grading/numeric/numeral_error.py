"""Why a numeral cannot be read."""

NOT_A_NUMBER = "not_a_number"
AMBIGUOUS = "ambiguous_number"
TOO_LONG = "number_too_long"
TOO_FAR = "exponent_too_large"
BY_ZERO = "zero_denominator"


class NumeralError(ValueError):
    """Why a numeral cannot be read; `code` is one of the codes above."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
