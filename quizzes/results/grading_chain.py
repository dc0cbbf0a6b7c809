"""The chains of an attempt's gradings and of its marks by persons: what their digests cover. Pure.

Each row is chained to the one before it in its attempt, by number, the first to 32 zero bytes. A
grading covers what every slot earned; the answers are covered by the journal's chain alone, and a
comment by its salted digest, so that both can be erased.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from quizzes.lib.hash_chain import format_time


class ChainedGrading(Protocol):
    """What the chain reads of a grading."""

    number: int
    reason: str
    by_id: Any
    total_numerator: int
    total_denominator: int
    maximum_numerator: int
    maximum_denominator: int
    passed: bool
    provisional: bool
    engine: str
    manual_grades_read: int
    regrade_rules_read: int
    graded_at: datetime


class ChainedItemResult(Protocol):
    """What the chain reads of the mark of a slot."""

    slot: int
    version_id: Any
    credit_numerator: Any
    credit_denominator: Any
    points_numerator: int
    points_denominator: int


class ChainedManualGrade(Protocol):
    """What the chain reads of a mark by a person."""

    number: int
    slot: int | None
    version_id: Any
    grader_id: Any
    purpose: str
    levels: Any
    share_numerator: int | None
    share_denominator: int | None
    comment_digest: Any
    graded_at: datetime


def grading_fields(
    attempt: UUID, grading: ChainedGrading, item_results: Iterable[ChainedItemResult]
) -> dict[str, Any]:
    """Return what the digest of a grading covers, as JSON; its item results in any order."""
    regrade_rules = grading.regrade_rules_read
    return ({"regrade_rules_read": regrade_rules} if regrade_rules else {}) | {
        "attempt": str(attempt),
        "number": grading.number,
        "reason": str(grading.reason),
        "by": grading.by_id,
        "total": [grading.total_numerator, grading.total_denominator],
        "maximum": [grading.maximum_numerator, grading.maximum_denominator],
        "passed": grading.passed,
        "provisional": grading.provisional,
        "engine": grading.engine,
        "manual_grades_read": grading.manual_grades_read,
        "graded_at": format_time(grading.graded_at),
        "item_results": sorted(
            [
                row.slot,
                row.version_id,
                row.credit_numerator,
                row.credit_denominator,
                row.points_numerator,
                row.points_denominator,
            ]
            for row in item_results
        ),
    }


def manual_grade_fields(attempt: UUID, manual_grade: ChainedManualGrade) -> dict[str, Any]:
    """Return what the digest of a mark by a person covers, as JSON."""
    return {
        "attempt": str(attempt),
        "number": manual_grade.number,
        "slot": manual_grade.slot,
        "version": manual_grade.version_id,
        "grader": manual_grade.grader_id,
        "purpose": str(manual_grade.purpose),
        "levels": manual_grade.levels,
        "share": [manual_grade.share_numerator, manual_grade.share_denominator],
        "comment_digest": bytes(manual_grade.comment_digest).hex(),
        "graded_at": format_time(manual_grade.graded_at),
    }
