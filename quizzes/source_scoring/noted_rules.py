"""The rules of a file as the notes on an item change them, and in nothing else.

Some notes say exactly what is scored otherwise here: that a maximum is not kept, or that a wrong
answer costs no more than everything. What is left of a difference under these rules, no such note
explains: a wrong key, say.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizzes.source_scoring.alignment import AlignedSlot
from quizzes.source_scoring.rules import Shape, SourceAnswer, SourceRules
from quizzes.source_scoring.sampling import find_best_points

_MAXIMUM: Final = "maximum_score_ignored"
_COSTS: Final = frozenset({"cost_limited", "negative_credit"})
_ZERO: Final = Fraction(0)

Compute = Callable[[SourceAnswer], Fraction]


def apply_notes(
    rules: SourceRules, slots: Sequence[AlignedSlot], codes: Collection[str]
) -> SourceRules:
    """Return the rules as notes with these codes say that they are here."""
    if _MAXIMUM in codes and rules.compute_unbounded:
        compute = _keep_minimum(rules.compute_unbounded, rules.minimum)
        rules = replace(rules, compute=compute, maximum=None)
    return _limit_costs(rules, slots) if _COSTS & {*codes} else rules


def _limit_costs(rules: SourceRules, slots: Sequence[AlignedSlot]) -> SourceRules:
    """Return rules by which no option costs more than everything, and no gap more than its points.

    Where an answer does not earn the sum of its parts, it earns what it did.
    """
    unbounded = replace(rules, compute=rules.compute_unbounded or rules.compute)
    most = _find_most_costs(unbounded, slots)

    def compute(answer: SourceAnswer) -> Fraction:
        parts = [(name, value) for name, values in answer.items() for value in values]
        points = [(name, unbounded.compute({name: (value,)})) for name, value in parts]
        if sum((earned for _, earned in points), _ZERO) != unbounded.compute(answer):
            return rules.compute(answer)
        limited = (max(earned, -most.get(name, _ZERO)) for name, earned in points)
        total = sum(limited, _ZERO)
        return total if rules.maximum is None else min(total, rules.maximum)

    return replace(rules, compute=_keep_minimum(compute, rules.minimum))


def _find_most_costs(rules: SourceRules, slots: Sequence[AlignedSlot]) -> Mapping[str, Fraction]:
    """Return the most that a value may cost, by response."""
    if rules.shape != Shape.CHOICE:
        return {slot.source.response: find_best_points(rules, slot) for slot in slots}
    (slot,) = slots
    response = slot.source.response
    points = [rules.compute({response: (option.source.id,)}) for option in slot.options]
    earning = [earned for earned in points if earned > 0]
    total = sum(earning, _ZERO) if slot.kind == "multiple_choice" else max(earning, default=_ZERO)
    return {response: rules.maximum or total}


def _keep_minimum(compute: Compute, minimum: Fraction | None) -> Compute:
    if minimum is None:
        return compute
    return lambda answer: max(compute(answer), minimum)
