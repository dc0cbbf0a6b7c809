"""Verifying gradings and marks by persons: recomputed, and by their digests (ADR 25)."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import F, Prefetch, QuerySet

from quizzes.attempts.models import Attempt
from quizzes.lib.hash_chain import ChainReader
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.results.grading_chain import grading_fields, manual_grade_fields
from quizzes.results.models import Grading, ItemResult, ManualGrade
from quizzes.results.verify import verify

CHUNK_SIZE = 200
ITEM_FIELDS = (
    "grading_id",
    "slot",
    "version_id",
    "credit_numerator",
    "credit_denominator",
    "points_numerator",
    "points_denominator",
)


def verify_gradings() -> Iterator[Differences]:
    """Recompute each grading from manifest and journal."""
    attempts = Attempt.objects.filter(gradings__isnull=False).distinct().order_by("pk")
    for _grading, differences in verify(attempts.iterator(CHUNK_SIZE)):
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
    marks = Prefetch("item_results", ItemResult.objects.only(*ITEM_FIELDS).order_by("slot"))
    rows = Grading.objects.prefetch_related(marks)
    return _verify_chains(
        rows, lambda row: grading_fields(row.attempt_uuid, row, row.item_results.all())
    )


def verify_manual_grade_digests() -> Iterator[Differences]:
    """Compute the digest of each mark by a person again."""
    return _verify_chains(
        ManualGrade.objects.all(), lambda row: manual_grade_fields(row.attempt_uuid, row)
    )


def _verify_chains(
    rows: QuerySet[Any], fields: Callable[[Any], dict[str, Any]]
) -> Iterator[Differences]:
    name, attempt_id, chain = rows.model._meta.model_name, 0, ChainReader()
    ordered = rows.order_by("attempt_id", "number").annotate(attempt_uuid=F("attempt__uuid"))
    for row in ordered.iterator(CHUNK_SIZE):
        if row.attempt_id != attempt_id:
            attempt_id, chain = row.attempt_id, ChainReader()
        yield tuple(
            RecordDifference(f"{name} {row.number} of attempt {row.attempt_uuid}", *difference)
            for difference in chain.read(row.number, bytes(row.digest), fields(row))
        )
