"""What the marks that persons gave an answer come to: which count, and whether they agree. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grading.contract import ItemScore, NeedsManualGrading

FINAL = "final"
SECOND_MISSING = "second_mark_missing"
DIFFER = "marks_differ"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One person's mark of one answer.

    `number` counts the marks of the attempt; `markers` is how many people were to mark it;
    `levels` is {criterion id: level id} in the author's order, empty for a share.
    """

    number: int
    marker: int
    purpose: str
    mark: ItemScore
    markers: int = 1
    comment: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)


def counting(judged: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Return the judgements that count: the newest final one, else each marker's in their order."""
    finals = [judgement for judgement in judged if judgement.purpose == FINAL]
    if finals:
        return (finals[-1],)
    # A marker keeps their place, however often they mark again.
    return tuple({judgement.marker: judgement for judgement in judged}.values())


def settled(judged: Sequence[Judgement]) -> ItemScore | NeedsManualGrading:
    """Return the mark that these come to, or why another person is needed; there is at least one.

    How many must mark stands in the first of them.
    """
    counted = counting(judged)
    if counted[0].purpose != FINAL and judged[0].markers > 1:
        if len(counted) < judged[0].markers:
            return NeedsManualGrading(SECOND_MISSING)
        if len({judgement.mark.credit for judgement in counted}) > 1:
            return NeedsManualGrading(DIFFER)
    return counted[0].mark
