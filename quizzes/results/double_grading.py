"""What the grades that persons gave an answer come to: which count, and if they agree. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grading.contract import ItemScore, NeedsManualGrading

FINAL = "final"
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
    """Return the grades that count: the newest final one, else the newest of each grader."""
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
