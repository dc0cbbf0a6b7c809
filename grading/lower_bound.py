"""The least that an answer may earn: 0, or less where the author of a question says so."""

from fractions import Fraction

from grading.contract import ZERO, LedgerLine, Problem, build_rule
from grading.json_types import Content, Json, ratio_from_json, ratio_to_json
from grading.schema import Field, FieldType

LOWER_BOUND = Field("lower_bound", FieldType.RATIO)
"""A share of the question's points, 0 or below; without it 0. Takers may know it."""


def read_lower_bound(content: Content, problems: list[Problem]) -> Fraction:
    """Return the least that an answer may earn; anything but a ratio up to 0 is a problem."""
    stored = content.get(LOWER_BOUND.name)
    if stored is None:
        return ZERO
    try:
        lower_bound = ratio_from_json(stored)
    except ValueError:
        problems.append(Problem(LOWER_BOUND.name, "lower_bound_is_no_ratio", {}))
        return ZERO
    if lower_bound > 0:
        problems.append(Problem(LOWER_BOUND.name, "lower_bound_above_zero", {}))
        return ZERO
    return lower_bound


def list_clamps(earned: Fraction, lower_bound: Fraction = ZERO) -> list[LedgerLine]:
    """Return the line that lifts a sum to its lower bound or cuts it down to 1, if one must."""
    if earned < lower_bound:
        reason = "not_below_bound" if lower_bound else "not_below_zero"
        return [build_rule("floor", lower_bound - earned, reason)]
    if earned > 1:
        return [build_rule("ceiling", 1 - earned, "not_above_one")]
    return []


def build_public_bound(content: Content) -> dict[str, Json]:
    """Return the lower bound as a part of a public question; {} where it is 0."""
    lower_bound = read_lower_bound(content, [])
    return {LOWER_BOUND.name: ratio_to_json(lower_bound)} if lower_bound else {}
