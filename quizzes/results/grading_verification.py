"""Verifying gradings and marks by persons: recomputed, and by their digests (ADR 25)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db.models import Prefetch, QuerySet

from quizzes.attempts.chain_verification import (
    find_erasable_differences,
    find_erasure_differences,
    verify_chains,
)
from quizzes.attempts.models import Attempt
from quizzes.lib.hash_chain import Difference
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UnreadableRow, read_rows
from quizzes.results.grading_chain import grading_fields, manual_grade_fields
from quizzes.results.grading_recomputation import verify
from quizzes.results.models import Grading, ItemResult, ManualGrade


def verify_gradings(attempts: QuerySet[Attempt] | None = None) -> Iterator[Differences]:
    """Recompute each grading of these attempts, or of all, from manifest and journal."""
    rows = Attempt.objects.all() if attempts is None else attempts
    graded = rows.filter(pk__in=Grading.objects.values("attempt")).order_by("pk")
    for row in read_rows(graded):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
            continue
        for _grading, differences in verify([row]):
            yield tuple(
                RecordDifference(
                    f"grading {difference.grading} of attempt {difference.attempt}",
                    difference.place,
                    difference.stored,
                    difference.computed,
                )
                for difference in differences
            )


def verify_grading_digests() -> Iterator[Differences]:
    """Compute the digest of each grading again, with what every slot earned."""
    marks = Prefetch("item_results", ItemResult.objects.order_by("slot"))
    yield from verify_chains(
        Grading.objects.prefetch_related(marks),
        "number",
        lambda row: grading_fields(row.parent_uuid, row, row.item_results.all()),
        _find_item_result_differences,
    )


def _find_item_result_differences(grading: Any) -> Iterator[Difference]:
    """Yield what is wrong with the rows of a grading: not its learner's, or half erased."""
    rows = grading.item_results.all()
    is_erased = any(row.erasure_id is not None for row in rows)
    for row in rows:
        if row.learner_id != grading.learner_id:
            yield f"learner of slot {row.slot}", str(row.learner_id), str(grading.learner_id)
        if row.erasure_id is None:
            if is_erased:
                yield f"erasure of slot {row.slot}", "none", "that of the other slots"
            continue
        for name, content in (("answer", row.answer), ("score", row.score)):
            if content is not None:
                yield f"{name} of slot {row.slot}", "something", "nothing, for it is erased"
        for place, stored, computed in find_erasure_differences(row, grading.graded_at):
            yield f"{place} of slot {row.slot}", stored, computed


def verify_manual_grade_digests() -> Iterator[Differences]:
    """Compute the digest of each mark by a person again."""
    yield from verify_chains(
        ManualGrade.objects.all(),
        "number",
        lambda row: manual_grade_fields(row.parent_uuid, row),
        partial(
            find_erasable_differences,
            column="comment",
            digest_column="comment_digest",
            written_at="graded_at",
        ),
    )
