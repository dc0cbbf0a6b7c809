"""Marks by persons: from the levels they chose, or from a share they gave; exact, with a ledger."""

from collections.abc import Mapping
from fractions import Fraction

from grading.contract import UNANSWERED, ZERO, ItemScore, LedgerLine, build_rule
from grading.essay.structure import SHARE, Criterion, load_rubric
from grading.json_types import Key

BY_PERSON = "marked_by_a_person"


def score_by_levels(key: Key, levels: Mapping[str, str]) -> ItemScore:
    """Mark by one level of each criterion: {criterion id: level id}.

    A line a criterion, named by the level, earns its points over the sum of the best levels. A
    criterion left out, one that is unknown, a level of another: ValueError. So, too, where there
    are no criteria.
    """
    key_rubric = load_rubric(key)
    if not key_rubric.criteria or levels.keys() != {
        criterion.id for criterion in key_rubric.criteria
    }:
        raise ValueError("a mark names one level of each criterion")
    lines = tuple(
        _line(criterion, levels[criterion.id], key_rubric.maximum)
        for criterion in key_rubric.criteria
    )
    return ItemScore(sum((line.earned for line in lines), ZERO), lines, (BY_PERSON,))


def _line(criterion: Criterion, chosen: str, maximum: Fraction) -> LedgerLine:
    points = next((level.points for level in criterion.levels if level.id == chosen), None)
    if points is None:
        raise ValueError("a level belongs to its own criterion")
    earned = points / maximum
    return LedgerLine(chosen, chosen=True, right=None, earned=earned, reason="level_reached")


def score_by_share(numerator: int, denominator: int) -> ItemScore:
    """Mark by a share from 0 to 1; anything else: ValueError."""
    if denominator < 1 or not 0 <= numerator <= denominator:
        raise ValueError("a share lies between 0 and 1")
    share = Fraction(numerator, denominator)
    return ItemScore(share, (build_rule(SHARE, share, BY_PERSON),), (BY_PERSON,))


def score_unanswered() -> ItemScore:
    """Return the mark of a missing answer, which needs no person."""
    return ItemScore(ZERO, (build_rule(UNANSWERED, ZERO, UNANSWERED),), (UNANSWERED,))
