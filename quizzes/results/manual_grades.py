"""Reading the layer of marks that persons gave: no regrade touches it, every grading reads it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grading.contract import ItemScore
from grading.essay.scoring import score_by_levels, score_by_share
from grading.essay.structure import load_rubric
from quizzes.bank.selectors import KeyAndFeedback, load_keys_and_feedback
from quizzes.lib.base_models import fraction_or_none
from quizzes.lib.hash_chain import START
from quizzes.results.double_grading import EffectiveGrade
from quizzes.results.models import OF_ATTEMPT, ManualGrade, Purpose

FIELDS = (
    "number",
    "slot",
    "version__uuid",
    "grader_id",
    "purpose",
    "levels",
    "share_numerator",
    "share_denominator",
    "comment",
    "digest",
)


@dataclass(frozen=True, slots=True)
class TotalOverride:
    """A person's score of a whole attempt, as a share of the maximum, and why."""

    share: Fraction
    reason: str


@dataclass(frozen=True, slots=True)
class ManualGrades:
    """The marks by persons of one attempt: how many there are, and what they say, by slot.

    `comments` are those without a score; `total` is the score of the whole attempt, if a person
    replaced it. `head` is the digest of the last one, to which the next is chained.
    """

    count: int = 0
    by_slot: Mapping[int, Sequence[EffectiveGrade]] = field(default_factory=dict)
    head: bytes = START
    comments: Mapping[int, Sequence[str]] = field(default_factory=dict)
    total: TotalOverride | None = None

    @property
    def total_share(self) -> Fraction | None:
        """The share of the maximum that a person gave the whole attempt."""
        return self.total.share if self.total else None


NO_MANUAL_GRADES = ManualGrades()


def load_manual_grades(attempt: int, most: int | None = None) -> ManualGrades:
    """Read the marks of an attempt in their order, all or the first so many.

    Each is worked out by the key of the version that its marker had before them. What was withdrawn
    is counted, but not in `by_slot`. For none there is no query.
    """
    if most == 0:
        return NO_MANUAL_GRADES
    rows = ManualGrade.objects.filter(attempt=attempt).order_by("number")
    if most is not None:
        rows = rows.filter(number__lte=most)
    grade_rows = list(rows.values(*FIELDS))
    keys = load_keys_and_feedback({row["version__uuid"] for row in grade_rows} - {None})
    by_slot: dict[int, list[EffectiveGrade]] = {}
    comments: defaultdict[int, dict[int, str]] = defaultdict(dict)
    total: TotalOverride | None = None
    for row in grade_rows:
        if row["purpose"] == Purpose.WITHDRAWN:
            by_slot.pop(row["slot"], None)
            continue
        if row["purpose"] == Purpose.COMMENT:
            comments[row["slot"]][row["grader_id"]] = row["comment"]
            continue
        if row["purpose"] in OF_ATTEMPT:
            total = _build_total(row)
            continue
        by_slot.setdefault(row["slot"], []).append(
            _build_effective_grade(row, keys[row["version__uuid"]])
        )
    head = bytes(grade_rows[-1]["digest"]) if grade_rows else START
    texts = {slot: tuple(filter(None, by.values())) for slot, by in comments.items()}
    return ManualGrades(len(grade_rows), by_slot, head, texts, total)


def _build_total(row: Mapping[str, Any]) -> TotalOverride | None:
    share = fraction_or_none(row["share_numerator"], row["share_denominator"])
    return None if share is None else TotalOverride(share, row["comment"])


def _build_effective_grade(
    row: Mapping[str, Any], key_and_feedback: KeyAndFeedback
) -> EffectiveGrade:
    rubric, levels = load_rubric(key_and_feedback.key), row["levels"] or {}
    return EffectiveGrade(
        number=row["number"],
        grader=row["grader_id"],
        purpose=row["purpose"],
        score=_build_score(row, key_and_feedback),
        graders=rubric.graders,
        comment=row["comment"],
        # A database may keep the names of an object in an order of its own.
        levels={
            criterion.id: levels[criterion.id]
            for criterion in rubric.criteria
            if criterion.id in levels
        },
    )


def _build_score(row: Mapping[str, Any], key_and_feedback: KeyAndFeedback) -> ItemScore:
    if row["levels"] is not None:
        return score_by_levels(key_and_feedback.key, row["levels"])
    return score_by_share(row["share_numerator"], row["share_denominator"])
