"""What the marks that persons gave an answer come to: which count, and whether they agree. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grading.contract import ItemScore, NeedsManualGrading

FINAL = "final"
SECOND_MISSING = "second_mark_missing"
GRADES_DIFFER = "marks_differ"


@dataclass(frozen=True, slots=True)
class EffectiveGrade:
    """One person's mark of one answer.

    `number` counts the marks of the attempt; `graders` is how many people were to mark it;
    `levels` is {criterion id: level id} in the author's order, empty for a share.
    """

    number: int
    grader: int
    purpose: str
    mark: ItemScore
    graders: int = 1
    comment: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)


def effective_grades(grades: Sequence[EffectiveGrade]) -> tuple[EffectiveGrade, ...]:
    """Return the judgements that count: the newest final one, else each marker's in their order."""
    finals = [judgement for judgement in grades if judgement.purpose == FINAL]
    if finals:
        return (finals[-1],)
    # A marker keeps their place, however often they mark again.
    return tuple({judgement.grader: judgement for judgement in grades}.values())


def reconcile(grades: Sequence[EffectiveGrade]) -> ItemScore | NeedsManualGrading:
    """Return the mark that these come to, or why another person is needed; there is at least one.

    How many must mark stands in the first of them.
    """
    counted = effective_grades(grades)
    if counted[0].purpose != FINAL and grades[0].graders > 1:
        if len(counted) < grades[0].graders:
            return NeedsManualGrading(SECOND_MISSING)
        if len({judgement.mark.credit for judgement in counted}) > 1:
            return NeedsManualGrading(GRADES_DIFFER)
    return counted[0].mark
