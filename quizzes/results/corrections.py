"""What rules of regrade make of the computed score of a slot, one after the other. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from grading.contract import ItemScore, NeedsManualGrading, build_rule
from grading.kinds import KINDS

BY_KEY, KEEP_BETTER, FULL_CREDIT = "by_key", "keep_better", "full_credit"
KEY, FULL, DROP, REVERT = "key", "full", "drop", "revert"
FULL_CREDIT_GIVEN: Final = "full_credit_given"
"""The part and the reason of the ledger's line that full credit for everybody adds."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One rule of regrade as it concerns one slot: the content and the key of a later version.

    Where the rule gives full credit for the question, whatever its version, they count for nothing.
    """

    version: UUID
    policy: str
    content: Mapping[str, Any]
    key: Mapping[str, Any]
    action: str = KEY


@dataclass(frozen=True, slots=True)
class Corrections:
    """How many rules of its quiz a grading reads, and what they say, by slot.

    `drops` has the policy of the slots whose question is dropped; `concerned` are all slots that
    some rule is about, those of rules that were reverted, too.
    """

    count: int = 0
    by_slot: Mapping[int, Sequence[Correction]] = field(default_factory=dict)
    drops: Mapping[int, str] = field(default_factory=dict)
    concerned: frozenset[int] = frozenset()


NO_CORRECTIONS: Final = Corrections()


def apply_corrections(
    computed: ItemScore | NeedsManualGrading,
    corrections: Sequence[Correction],
    kind: str,
    answer: Any,
    scoring_method: str,
) -> ItemScore | NeedsManualGrading:
    """Return the score of an answer by these corrections in their order.

    What a machine leaves to persons, by any of the keys, no correction touches.
    """
    for correction in corrections:
        if correction.action == FULL and isinstance(computed, ItemScore):
            computed = _give_full_credit(computed)
            continue
        by_key = KINDS[kind].score(correction.content, correction.key, answer, scoring_method)
        if isinstance(computed, NeedsManualGrading) or isinstance(by_key, NeedsManualGrading):
            return computed
        computed = choose_score(correction.policy, computed, by_key)
    return computed


def choose_score(policy: str, before: ItemScore, by_key: ItemScore) -> ItemScore:
    """Return which score counts: that by the newer key, the better one, or full credit."""
    if policy == KEEP_BETTER:
        return before if before.credit > by_key.credit else by_key
    if policy == FULL_CREDIT:
        return _give_full_credit(by_key)
    return by_key


def choose_credit(policy: str, before: Fraction, by_key: Fraction) -> Fraction:
    """Return the credit that `choose_score` comes to, where only the credits are known."""
    if policy == KEEP_BETTER:
        return max(before, by_key)
    return Fraction(1) if policy == FULL_CREDIT else by_key


def choose_points(
    credits_by_slot: Sequence[Fraction | None],
    points: Sequence[Fraction],
    drops: Mapping[int, str],
) -> tuple[Fraction, ...]:
    """Return what each slot is worth: nothing where its question is dropped.

    Where nobody is to go down, of the dropped questions those still count that raise the share of
    the points; so it is at least what it would be without the drop, whatever other rules do. A
    credit that waits for a person is none yet.
    """
    if not drops:
        return tuple(points)
    chosen = [Fraction() if slot in drops else worth for slot, worth in enumerate(points)]
    earned = [credit or Fraction() for credit in credits_by_slot]
    total = sum((credit * worth for credit, worth in zip(earned, chosen, strict=True)), Fraction())
    maximum = sum(chosen, Fraction())
    spared = [slot for slot, policy in drops.items() if policy == KEEP_BETTER]
    # The best credits first: each raises the share as long as it is above it.
    for slot in sorted(spared, key=lambda slot: (-earned[slot], slot)):
        if maximum and earned[slot] * maximum <= max(total, Fraction()):
            break
        chosen[slot] = points[slot]
        total += earned[slot] * points[slot]
        maximum += points[slot]
    return tuple(chosen)


def _give_full_credit(by_key: ItemScore) -> ItemScore:
    if by_key.credit == 1:
        return by_key
    missing = build_rule(FULL_CREDIT_GIVEN, 1 - by_key.credit, FULL_CREDIT_GIVEN)
    return ItemScore(Fraction(1), (*by_key.ledger, missing), (FULL_CREDIT_GIVEN,))
