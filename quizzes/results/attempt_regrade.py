"""What rules of regrade make of one attempt: the scores of its slots, and whether it differs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple

from grading.contract import ItemScore, NeedsManualGrading
from quizzes.attempts.manifest import Manifest, Slot
from quizzes.attempts.models import Attempt
from quizzes.attempts.selectors import load_slot_version
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.lib.cpu_limit import run_limited
from quizzes.results.corrections import Corrections
from quizzes.results.manual_grades import ManualGrades, load_manual_grades
from quizzes.results.models import Result
from quizzes.results.regrade_rules import RuleSet
from quizzes.results.scoring import (
    MAX_SECONDS,
    AttemptScore,
    add_up,
    replace_total,
    score_slot,
)
from quizzes.results.slot_scores import SlotScore, SlotScores, build_slot_score

OWN_COLUMNS: Final = ("learner", "grading", "slot")
SHARED_COLUMNS: Final = (
    *("version", "answer", "credit_numerator", "credit_denominator"),
    *("points_numerator", "points_denominator", "score"),
)
"""The columns of an item result; those that many attempts have in common are written once."""


class StoredSlot(NamedTuple):
    """What a slot is worth, and its score as text where some rule is about its question."""

    points: tuple[int, int]
    score: str | None


@dataclass(slots=True)
class ItemRow:
    """An item result that is written with many others, as the database stores it."""

    slot: int
    version_id: int
    answer: str | None
    credit_numerator: int | None
    credit_denominator: int | None
    points_numerator: int
    points_denominator: int
    score: str

    @property
    def shared_values(self) -> tuple[Any, ...]:
        """The values of SHARED_COLUMNS."""
        numerator = None if self.credit_numerator is None else str(self.credit_numerator)
        denominator = None if self.credit_denominator is None else str(self.credit_denominator)
        points = (self.points_numerator, self.points_denominator)
        return (self.version_id, self.answer, numerator, denominator, *points, self.score)


@dataclass(frozen=True, slots=True)
class AttemptRegrade:
    """An attempt by the rules: the scores of its slots, and what they come to."""

    row: Attempt
    result: Result
    corrections: Corrections
    answers: Mapping[int, str]
    slot_scores: Sequence[SlotScore]
    attempt_score: AttemptScore
    manual_grades_read: int

    def build_items(self, version_ids: Sequence[int]) -> list[ItemRow]:
        """Return its item results, by slot; `version_ids` are those of its questions."""
        return [
            _build_item(slot, version_id, self.answers.get(slot), score, points)
            for slot, (version_id, score, points) in enumerate(
                zip(version_ids, self.slot_scores, self.attempt_score.points, strict=True)
            )
        ]


def regrade_attempt(  # noqa: PLR0913, PLR0917  all that a score rests on
    row: Attempt,
    result: Result,
    manifest: Manifest,
    answers: Mapping[int, str],
    rules: RuleSet,
    scores: SlotScores,
) -> AttemptRegrade:
    """Return an attempt by the rules; `answers` are those that count, `scores` what is computed."""
    corrections = rules.find_corrections(manifest)
    manual_grades = load_manual_grades(row.pk, result.grading.manual_grades_read)
    compute = partial(_compute, manifest, answers, corrections, manual_grades, scores)
    slot_scores, score = run_limited(compute, seconds=MAX_SECONDS)
    return AttemptRegrade(
        row, result, corrections, answers, slot_scores, score, manual_grades.count
    )


def _compute(
    manifest: Manifest,
    answers: Mapping[int, str],
    corrections: Corrections,
    manual_grades: ManualGrades,
    scores: SlotScores,
) -> tuple[list[SlotScore], AttemptScore]:
    """Return the scores of the slots, with marks by persons, and what they come to."""
    computed = [
        scores.find(
            (slot.version, slot.scoring_method, answers.get(number)),
            partial(_score_text, slot, answers.get(number), corrections, number),
        )
        for number, slot in enumerate(manifest.slots)
    ]
    score = add_up(
        manifest,
        [slot_score.outcome for slot_score in computed],
        manual_grades.by_slot,
        corrections,
    )
    for slot in manual_grades.by_slot:
        computed[slot] = build_slot_score(score.item_scores[slot])
    share = manual_grades.total_share
    return computed, score if share is None else replace_total(score, share, manifest)


def _score_text(
    slot: Slot, text: str | None, corrections: Corrections, number: int
) -> ItemScore | NeedsManualGrading:
    """Return the computed score of a slot from an answer as the text of its JSON."""
    key_and_feedback = load_keys_and_feedback([slot.version])[slot.version]
    answer = None if text is None else json.loads(text)
    version = load_slot_version(slot)
    return score_slot(slot, version, key_and_feedback, answer, corrections, number)


def differs(regrade: AttemptRegrade, items: Sequence[StoredSlot]) -> bool:
    """Return whether the rules change a score, what a slot is worth, or what it comes to."""
    score, grading = regrade.attempt_score, regrade.result.grading
    return (
        (grading.total, grading.maximum) != (score.total, score.maximum)
        or [item.points for item in items]
        != [(worth.numerator, worth.denominator) for worth in score.points]
        or not all(
            regrade.slot_scores[slot].is_stored_as(items[slot].score)
            for slot in regrade.corrections.concerned
        )
    )


def _build_item(
    slot: int, version_id: int, answer: str | None, score: SlotScore, points: Fraction
) -> ItemRow:
    credit = score.outcome.credit if isinstance(score.outcome, ItemScore) else None
    return ItemRow(
        slot,
        version_id,
        answer,
        None if credit is None else credit.numerator,
        None if credit is None else credit.denominator,
        points.numerator,
        points.denominator,
        score.text,
    )
