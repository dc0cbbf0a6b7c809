"""What questions are worth by rules of regrade, and so what an attempt comes to. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from grading import totals

KEEP_BETTER: Final = "keep_better"

PointsChoice = tuple[Fraction, ...]
"""What a slot may be worth, first what it is worth unless another raises the share."""


@dataclass(frozen=True, slots=True)
class PointRules:
    """What rules say of the worth of questions, by primary key of a question, or by slot.

    `drops` has the policy by which each is dropped; `points` what rules make it worth, in their
    order, each with its policy. What a bonus earns is in the total, and its points are not in the
    maximum.
    """

    drops: Mapping[int, str] = field(default_factory=dict)
    points: Mapping[int, Sequence[tuple[str, Fraction]]] = field(default_factory=dict)
    bonuses: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        """Return whether they say anything."""
        return bool(self.drops or self.points or self.bonuses)

    def place_in_slots(self, question_by_slot: Mapping[int, int]) -> "PointRules":
        """Return rules by question as rules by slot."""
        items = question_by_slot.items()
        return PointRules(
            {slot: self.drops[question] for slot, question in items if question in self.drops},
            {slot: self.points[question] for slot, question in items if question in self.points},
            frozenset(slot for slot, question in items if question in self.bonuses),
        )


class PointsSum(NamedTuple):
    """What each slot is worth, and what the attempt comes to."""

    points: tuple[Fraction, ...]
    total: Fraction
    maximum: Fraction

    @property
    def share(self) -> Fraction:
        """The part of the maximum that was reached."""
        return totals.compute_share(self.total, self.maximum)


def sum_points(
    credits_by_slot: Sequence[Fraction | None], points: Sequence[Fraction], rules: PointRules
) -> PointsSum:
    """Return what each slot is worth, and the total and the maximum that this comes to.

    Where nobody is to go down, a slot has of its worths the one that gives the attempt the greatest
    share of the maximum; so it is at least what it would be without the rule, whatever other rules
    do. A credit that waits for a person is none yet. A total is never above its maximum.
    """
    earned = [credit or Fraction() for credit in credits_by_slot]
    if not rules:
        return _sum(earned, points, frozenset())
    choices = [_list_choices(slot, worth, rules) for slot, worth in enumerate(points)]
    if not any(max(choice) for slot, choice in enumerate(choices) if slot not in rules.bonuses):
        return _find_best(earned, choices, frozenset())  # a bonus on top of nothing is none
    return _find_best(earned, choices, rules.bonuses)


def _list_choices(slot: int, worth: Fraction, rules: PointRules) -> PointsChoice:
    choice: PointsChoice = (worth,)
    for policy, points in rules.points.get(slot, ()):
        choice = (points, *choice) if policy == KEEP_BETTER else (points,)
    if slot in rules.drops:
        choice = (Fraction(), *choice) if rules.drops[slot] == KEEP_BETTER else (Fraction(),)
    return choice


def _sum(
    earned: Sequence[Fraction], points: Sequence[Fraction], bonuses: frozenset[int]
) -> PointsSum:
    maximum = totals.add_products(
        (worth, 1) for slot, worth in enumerate(points) if slot not in bonuses
    )
    total = totals.add_points(zip(earned, points, strict=True))
    return PointsSum(tuple(points), min(total, maximum) if bonuses else total, maximum)


def _find_best(
    earned: Sequence[Fraction], choices: Sequence[PointsChoice], bonuses: frozenset[int]
) -> PointsSum:
    """Return the sum with the greatest share; without a question that counts there is none."""
    regular = [slot for slot in range(len(choices)) if slot not in bonuses]
    if any(min(choices[slot]) for slot in regular) or not any(
        max(choices[slot]) for slot in regular
    ):
        return _raise_share(earned, choices, bonuses)
    # Each of them may be worth nothing, but not all: one stands, whichever is best.
    best: PointsSum | None = None
    for slot in regular:
        for worth in filter(None, choices[slot]):
            fixed = [*choices[:slot], (worth,), *choices[slot + 1 :]]
            candidate = _raise_share(earned, fixed, bonuses)
            if best is None or candidate.share > best.share:
                best = candidate
    return best or _raise_share(earned, choices, bonuses)


def _raise_share(
    earned: Sequence[Fraction], choices: Sequence[PointsChoice], bonuses: frozenset[int]
) -> PointsSum:
    """Return the sum with the greatest share, some question that is no bonus being worth something.

    What a point of a slot is good for is its credit less the share so far: with each pass the share
    rises, until no slot does better with another worth.
    """
    best = _sum(earned, [choice[0] for choice in choices], bonuses)
    while True:
        share = best.share
        raised = _sum(
            earned,
            [
                _choose(choice, credit if slot in bonuses else credit - share)
                for slot, (choice, credit) in enumerate(zip(choices, earned, strict=True))
            ],
            bonuses,
        )
        if raised.share <= share:
            return raised
        best = raised


def _choose(choice: PointsChoice, gain: Fraction) -> Fraction:
    """Return the worth that gains most, the first of the choice where none gains more."""
    return max(choice, key=lambda worth: gain * worth)
