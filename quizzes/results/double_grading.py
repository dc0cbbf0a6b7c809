"""What the grades that persons gave an answer come to: which count, and if they agree. Pure.

Where a person's score replaces the computed one of an item, that is decided here, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grading.contract import ItemScore, NeedsManualGrading, build_rule

FINAL = "final"
OVERRIDE = "override"
OVERRIDDEN = "overridden"
"""The reason, and the part of the ledger, of a score that a person put in place of another."""

SECOND_MISSING = "second_grade_missing"
GRADES_DIFFER = "grades_differ"


@dataclass(frozen=True, slots=True)
class EffectiveGrade:
    """One person's grade of one answer.

    `number` counts the grades of the attempt; `graders` is how many people are to grade it;
    `levels` is {criterion id: level id} in the author's order, empty for a share.
    """

    number: int
    grader: int
    purpose: str
    score: ItemScore
    graders: int = 1
    comment: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)


def effective_grades(grades: Sequence[EffectiveGrade]) -> tuple[EffectiveGrade, ...]:
    """Return the grades that count: the newest override, the newest final one, or one a grader."""
    overrides = [grade for grade in grades if grade.purpose == OVERRIDE]
    if overrides:
        return (overrides[-1],)
    finals = [grade for grade in grades if grade.purpose == FINAL]
    if finals:
        return (finals[-1],)
    # A grader keeps their place, however often they grade again.
    return tuple({grade.grader: grade for grade in grades}.values())


def reconcile(grades: Sequence[EffectiveGrade]) -> ItemScore | NeedsManualGrading:
    """Return the score that these come to, or why another person is needed; there is at least one.

    The first of them says how many people must grade.
    """
    counted = effective_grades(grades)
    if counted[0].purpose != FINAL and grades[0].graders > 1:
        if len(counted) < grades[0].graders:
            return NeedsManualGrading(SECOND_MISSING)
        if len({grade.score.credit for grade in counted}) > 1:
            return NeedsManualGrading(GRADES_DIFFER)
    return counted[0].score


def apply_grades(
    computed: ItemScore | NeedsManualGrading, grades: Sequence[EffectiveGrade]
) -> ItemScore | NeedsManualGrading:
    """Return the score of an item: the computed one, but for what persons gave it.

    What a machine leaves to persons has the score that their grades come to. Any other has the
    computed score, unless an override is among the grades: the newest replaces it.
    """
    if isinstance(computed, NeedsManualGrading):
        return reconcile(grades) if grades else computed
    effective = effective_grades(grades)
    if not effective or effective[0].purpose != OVERRIDE:
        return computed
    return _override(computed, effective[0])


def _override(computed: ItemScore, grade: EffectiveGrade) -> ItemScore:
    """Return a person's score; its ledger has the computed lines and what the person changed."""
    credit = grade.score.credit
    change = build_rule(OVERRIDDEN, credit - computed.credit, OVERRIDDEN)
    return ItemScore(credit, (*computed.ledger, change), (OVERRIDDEN,))
