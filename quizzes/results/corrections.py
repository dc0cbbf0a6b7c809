"""What rules of regrade make of the computed score of a slot, one after the other. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from grading.contract import ItemScore, NeedsManualGrading, build_rule
from grading.kinds import KINDS
from quizzes.results.point_rules import KEEP_BETTER, PointRules

BY_KEY, FULL_CREDIT = "by_key", "full_credit"
KEY, FULL, DROP, REVERT = "key", "full", "drop", "revert"
BONUS, POINTS, METHOD = "bonus", "points", "method"
FULL_CREDIT_GIVEN: Final = "full_credit_given"
"""The part and the reason of the ledger's line that full credit for everybody adds."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One rule of regrade as it concerns one slot: the content and the key of a later version.

    Where the rule gives full credit for the question, whatever its version, or names another
    scoring method, they count for nothing.
    """

    version: UUID
    policy: str
    content: Mapping[str, Any]
    key: Mapping[str, Any]
    action: str = KEY
    scoring_method: str = ""


@dataclass(frozen=True, slots=True)
class Corrections:
    """How many rules of its quiz a grading reads, and what they say, by slot.

    `point_rules` are about what slots are worth; `concerned` are all slots that some rule is about,
    those of rules that were reverted, too.
    """

    count: int = 0
    by_slot: Mapping[int, Sequence[Correction]] = field(default_factory=dict)
    point_rules: PointRules = field(default_factory=PointRules)
    concerned: frozenset[int] = frozenset()


NO_CORRECTIONS: Final = Corrections()


@dataclass(frozen=True, slots=True)
class AnsweredSlot:
    """An answer, and what it was marked from at first: version, scoring method."""

    kind: str
    content: Mapping[str, Any]
    key: Mapping[str, Any]
    scoring_method: str
    answer: Mapping[str, Any] | None

    def score(self) -> ItemScore | NeedsManualGrading:
        """Return the computed score."""
        return KINDS[self.kind].score(self.content, self.key, self.answer, self.scoring_method)


def apply_corrections(
    answered: AnsweredSlot, corrections: Sequence[Correction]
) -> ItemScore | NeedsManualGrading:
    """Return the score of an answer by these corrections in their order.

    A key and a scoring method count from their rule on, until the next. What a machine leaves to
    persons, by any of the keys, no correction touches.
    """
    computed = answered.score()
    for correction in corrections:
        if correction.action == FULL and isinstance(computed, ItemScore):
            computed = _give_full_credit(computed)
            continue
        answered = _replace_rule(answered, correction)
        by_rule = answered.score()
        if isinstance(computed, NeedsManualGrading) or isinstance(by_rule, NeedsManualGrading):
            return computed
        computed = choose_score(correction.policy, computed, by_rule)
    return computed


def _replace_rule(answered: AnsweredSlot, correction: Correction) -> AnsweredSlot:
    if correction.action == METHOD:
        return replace(answered, scoring_method=correction.scoring_method)
    return replace(answered, content=correction.content, key=correction.key)


def choose_score(policy: str, before: ItemScore, by_key: ItemScore) -> ItemScore:
    """Return which score counts: that by the newer key, the better one, or full credit."""
    if policy == KEEP_BETTER:
        return before if before.credit > by_key.credit else by_key
    if policy == FULL_CREDIT:
        return _give_full_credit(by_key)
    return by_key


def _give_full_credit(by_key: ItemScore) -> ItemScore:
    if by_key.credit == 1:
        return by_key
    missing = build_rule(FULL_CREDIT_GIVEN, 1 - by_key.credit, FULL_CREDIT_GIVEN)
    return ItemScore(Fraction(1), (*by_key.ledger, missing), (FULL_CREDIT_GIVEN,))
