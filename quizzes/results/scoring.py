"""Marking a whole attempt from plain values: without rows, so that verifying repeats it. Pure."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

from grading import totals
from grading.contract import ItemScore, NeedsManualGrading
from quizzes.attempts.manifest import Manifest, Slot
from quizzes.bank.selectors import KeyAndFeedback, PublicVersion
from quizzes.lib.cpu_limit import run_limited
from quizzes.results.corrections import (
    NO_CORRECTIONS,
    AnsweredSlot,
    Corrections,
    apply_corrections,
)
from quizzes.results.double_grading import EffectiveGrade, apply_grades
from quizzes.results.point_rules import sum_points
from quizzes.results.slot_scores import SlotScores

NO_MANUAL_GRADES: Mapping[int, Sequence[EffectiveGrade]] = {}
MAX_SECONDS: Final = 1.0
"""Seconds of CPU that an attempt may take, a hundred times what one usually does."""


@dataclass(frozen=True, slots=True)
class AttemptScore:
    """What an attempt came to: a mark a slot, and the totals; what waits counts nothing yet.

    `points` is what each slot is worth, after the rules of regrade.
    """

    item_scores: tuple[ItemScore | NeedsManualGrading, ...]
    points: tuple[Fraction, ...]
    total: Fraction
    maximum: Fraction
    passed: bool

    @property
    def provisional(self) -> bool:
        """Whether something waits for a person."""
        return any(isinstance(item_score, NeedsManualGrading) for item_score in self.item_scores)


def score_attempt(  # noqa: PLR0913, PLR0917  all that a score rests on
    manifest: Manifest,
    answers: Sequence[Mapping[str, Any] | None],
    public_versions: Sequence[PublicVersion],
    keys: Sequence[KeyAndFeedback],
    manual_grades: Mapping[int, Sequence[EffectiveGrade]] = NO_MANUAL_GRADES,
    corrections: Corrections = NO_CORRECTIONS,
    total_share: Fraction | None = None,
    slot_scores: SlotScores | None = None,
) -> AttemptScore:
    """Mark each slot by its kind and scoring method, and add up. All sequences go by slot.

    `corrections` are rules of regrade, which the computed score goes through first. Where
    a machine leaves the mark to persons, or one has overridden it, theirs replaces it:
    `manual_grades`, by slot. `total_share` of the maximum is what a person gave the whole attempt.
    A grader that does not come to an end: TookTooLong. What `slot_scores` remember of equal
    answers, without rules, is not computed again; who verifies passes none.
    """
    compute = partial(
        _score,
        manifest,
        answers,
        public_versions,
        keys,
        manual_grades,
        corrections,
        slot_scores,
    )
    score = run_limited(compute, seconds=MAX_SECONDS)
    return score if total_share is None else replace_total(score, total_share, manifest)


def _score(  # noqa: PLR0913, PLR0917  the same
    manifest: Manifest,
    answers: Sequence[Mapping[str, Any] | None],
    public_versions: Sequence[PublicVersion],
    keys: Sequence[KeyAndFeedback],
    manual_grades: Mapping[int, Sequence[EffectiveGrade]],
    corrections: Corrections,
    slot_scores: SlotScores | None,
) -> AttemptScore:
    outcomes = [
        _find_score(
            slot_scores,
            slot,
            answer,
            partial(
                score_slot, slot, public_version, key_and_feedback, answer, corrections, number
            ),
            has_rules=number in corrections.by_slot,
        )
        for number, (slot, answer, public_version, key_and_feedback) in enumerate(
            zip(manifest.slots, answers, public_versions, keys, strict=True)
        )
    ]
    return add_up(manifest, outcomes, manual_grades, corrections)


def _find_score(
    slot_scores: SlotScores | None,
    slot: Slot,
    answer: Mapping[str, Any] | None,
    compute: Callable[[], ItemScore | NeedsManualGrading],
    *,
    has_rules: bool,
) -> ItemScore | NeedsManualGrading:
    """Return the score of a slot, computed unless an equal answer was."""
    if slot_scores is None or has_rules:
        return compute()
    text = None if answer is None else json.dumps(answer)
    return slot_scores.find((slot.version, slot.scoring_method, text), compute).outcome


def score_slot(  # noqa: PLR0913, PLR0917  all that the score of a slot rests on
    slot: Slot,
    public_version: PublicVersion,
    key_and_feedback: KeyAndFeedback,
    answer: Mapping[str, Any] | None,
    corrections: Corrections,
    number: int,
) -> ItemScore | NeedsManualGrading:
    """Return the computed score of a slot with this number, after the rules of regrade."""
    return apply_corrections(
        AnsweredSlot(
            slot.kind,
            public_version.content,
            key_and_feedback.key,
            slot.scoring_method,
            None if answer is None else dict(answer),
        ),
        corrections.by_slot.get(number, ()),
    )


def add_up(
    manifest: Manifest,
    computed: Sequence[ItemScore | NeedsManualGrading],
    manual_grades: Mapping[int, Sequence[EffectiveGrade]],
    corrections: Corrections,
) -> AttemptScore:
    """Return what computed scores come to, by slot, with marks by persons and the rules' points."""
    item_scores = tuple(
        apply_grades(outcome, manual_grades.get(slot, ())) for slot, outcome in enumerate(computed)
    )
    credits_by_slot = [
        outcome.credit if isinstance(outcome, ItemScore) else None for outcome in item_scores
    ]
    points, total, maximum = sum_points(
        credits_by_slot, [slot.points for slot in manifest.slots], corrections.point_rules
    )
    passed = totals.is_passed(total, maximum, manifest.threshold)
    return AttemptScore(item_scores, points, total, maximum, passed)


def replace_total(score: AttemptScore, share: Fraction, manifest: Manifest) -> AttemptScore:
    """Return the score of an attempt to which a person gave a share of the maximum."""
    total = share * score.maximum
    passed = totals.is_passed(total, score.maximum, manifest.threshold)
    return replace(score, total=total, passed=passed)
