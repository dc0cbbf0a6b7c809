"""Marking a whole attempt from plain values: without rows, so that verifying repeats it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grading import totals
from grading.contract import ItemScore, NeedsManualGrading
from grading.kinds import KINDS
from quizzes.attempts.manifest import Manifest
from quizzes.bank.selectors import KeyAndFeedback, PublicVersion
from quizzes.results.double_marking import EffectiveGrade, reconcile

NO_MANUAL_GRADES: Mapping[int, Sequence[EffectiveGrade]] = {}


@dataclass(frozen=True, slots=True)
class AttemptScore:
    """What an attempt came to: a mark a slot, and the totals; what waits counts nothing yet."""

    marks: tuple[ItemScore | NeedsManualGrading, ...]
    total: Fraction
    maximum: Fraction
    passed: bool

    @property
    def provisional(self) -> bool:
        """Whether something waits for a person."""
        return any(isinstance(mark, NeedsManualGrading) for mark in self.marks)


def score_attempt(
    manifest: Manifest,
    answers: Sequence[Mapping[str, Any] | None],
    public_versions: Sequence[PublicVersion],
    keys: Sequence[KeyAndFeedback],
    manual_grades: Mapping[int, Sequence[EffectiveGrade]] = NO_MANUAL_GRADES,
) -> AttemptScore:
    """Mark each slot by its kind and scoring method, and add up. All sequences go by slot.

    Where a machine leaves the mark to persons, theirs replaces it: `persons`, by slot.
    """
    by_machine = (
        KINDS[slot.kind].score(
            paper.content, secret.key, None if answer is None else dict(answer), slot.scoring_method
        )
        for slot, answer, paper, secret in zip(
            manifest.slots, answers, public_versions, keys, strict=True
        )
    )
    marks = tuple(
        _with_persons(outcome, manual_grades.get(slot, ()))
        for slot, outcome in enumerate(by_machine)
    )
    total = totals.add_points(
        (outcome.credit, slot.points)
        for outcome, slot in zip(marks, manifest.slots, strict=True)
        if isinstance(outcome, ItemScore)
    )
    maximum = manifest.maximum
    return AttemptScore(marks, total, maximum, totals.is_passed(total, maximum, manifest.threshold))


def _with_persons(
    mark: ItemScore | NeedsManualGrading, judged: Sequence[EffectiveGrade]
) -> ItemScore | NeedsManualGrading:
    return reconcile(judged) if judged and isinstance(mark, NeedsManualGrading) else mark
