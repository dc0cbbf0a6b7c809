"""Plain values: what a question and an answer are made of, as JSON holds them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
Content: TypeAlias = Mapping[str, Json]
"""The structure of a question: neutral of language, free of the key and of words."""
Key: TypeAlias = Mapping[str, Json]
"""What is right, and what each part weighs."""
Answer: TypeAlias = dict[str, Json]
"""A readable answer in its one canonical form: what the journal stores."""


def ratio_to_json(value: Fraction) -> list[Json]:
    """Write an exact number as [numerator, denominator] in lowest terms."""
    return [value.numerator, value.denominator]


def ratio_from_json(stored: Json) -> Fraction:
    """Read [numerator, denominator]; anything else, floats and booleans included: ValueError."""
    match stored:
        case [bool(), _] | [_, bool()]:
            pass
        case [int(numerator), int(denominator)] if denominator > 0:
            return Fraction(numerator, denominator)
    raise ValueError("a ratio is [numerator, denominator], two integers, the second above zero")
