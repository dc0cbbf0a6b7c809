"""Recomputing stored gradings from manifest and journal, and naming every difference."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from grading.contract import ItemScore
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Response, SaveStatus
from quizzes.attempts.selectors import load_manifest_versions
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.lib.errors import Corrupt
from quizzes.lib.row_reading import UNREADABLE, UnreadableRow, describe_error, read_rows
from quizzes.results.manual_grades import NO_MANUAL_GRADES, ManualGrades, load_manual_grades
from quizzes.results.models import Grading, ItemResult, RegradeRule
from quizzes.results.regrade_rules import load_corrections
from quizzes.results.scoring import AttemptScore, score_attempt


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a stored grading and its recomputation part."""

    attempt: UUID
    grading: int
    place: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return (
            f"attempt {self.attempt}, grading {self.grading}, {self.place}:"
            f" stored {self.stored}, computed {self.computed}"
        )


def verify(
    attempts: Iterable[Attempt],
) -> Iterator[tuple[Grading | UnreadableRow, tuple[Difference, ...]]]:
    """Recompute every grading, whatever its reason, one attempt at a time, in constant memory.

    What a person changed stands in the marks by persons, so an override is recomputed, too. One
    whose answers were erased cannot be; its digest still covers what was earned.
    """
    for attempt in attempts:
        erased = ItemResult.objects.filter(erasure__isnull=False, grading__attempt=attempt)
        gradings = attempt.gradings.exclude(pk__in=erased.values("grading")).order_by("number")
        for grading in read_rows(gradings):
            if isinstance(grading, UnreadableRow):
                yield grading, (_not_recomputed(attempt, 0, grading.reason),)
            else:
                yield grading, _differences_or_why_not(attempt, grading)


def _differences_or_why_not(attempt: Attempt, grading: Grading) -> tuple[Difference, ...]:
    """Return the differences; what cannot be recomputed is one, and does not stop the others."""
    try:
        return tuple(_differences(attempt, grading))
    except Corrupt as corrupt:
        reason = corrupt.code
    except UNREADABLE as error:
        reason = describe_error(error)
    return (_not_recomputed(attempt, grading.number, reason),)


def _not_recomputed(attempt: Attempt, number: int, reason: str) -> Difference:
    return Difference(attempt.uuid, number, "attempt", "unreadable", reason)


def recompute(
    attempt: Attempt, manual_grades: ManualGrades = NO_MANUAL_GRADES, regrade_rules: int = 0
) -> AttemptScore:
    """Mark an attempt again from its manifest, its journal, marks by persons, rules of regrade."""
    manifest = Manifest.from_json(attempt.manifest)
    public_versions = load_manifest_versions(manifest)
    answers = dict.fromkeys(range(len(public_versions))) | _load_answers(attempt)
    keys_by_version = load_keys_and_feedback(slot.version for slot in manifest.slots)
    keys = [keys_by_version[slot.version] for slot in manifest.slots]
    corrections = load_corrections(attempt.quiz_id, manifest, most=regrade_rules)
    return score_attempt(
        manifest,
        list(answers.values()),
        public_versions,
        keys,
        manual_grades.by_slot,
        corrections,
        manual_grades.total_share,
    )


def _load_answers(attempt: Attempt) -> dict[int, Any]:
    """Return the current answers by slot.

    Folded here entry by entry, not by the query that grading uses: a check must not share the fault
    it looks for.
    """
    journal = Response.objects.filter(attempt=attempt, status=SaveStatus.ACCEPTED)
    return dict(journal.order_by("revision").values_list("slot", "answer"))


def _differences(attempt: Attempt, grading: Grading) -> Iterator[Difference]:
    manual_grades = load_manual_grades(attempt.pk, grading.manual_grades_read)
    recomputed = recompute(attempt, manual_grades, grading.regrade_rules_read)
    stored = {row.slot: row for row in ItemResult.objects.filter(grading=grading)}
    expected = {
        slot: outcome.to_json()
        if isinstance(outcome, ItemScore)
        else {"needs_manual_grading": outcome.reason}
        for slot, outcome in enumerate(recomputed.item_scores)
    }
    pairs = [
        ("total", grading.total, recomputed.total),
        ("maximum", grading.maximum, recomputed.maximum),
        ("passed", grading.passed, recomputed.passed and not recomputed.provisional),
        ("slots", sorted(stored), sorted(expected)),
        ("marks by persons", grading.manual_grades_read, manual_grades.count),
        (
            "rules of regrade",
            grading.regrade_rules_read,
            RegradeRule.objects.filter(
                quiz=attempt.quiz_id, number__lte=grading.regrade_rules_read
            ).count(),
        ),
    ]
    answers = _load_answers(attempt)
    slots = Manifest.from_json(attempt.manifest).slots
    versions = load_manifest_versions(Manifest.from_json(attempt.manifest))
    for slot, row in sorted(stored.items()):
        if slot < len(slots):
            points = Fraction(row.points_numerator, row.points_denominator)
            pairs.append((f"points of slot {slot}", points, recomputed.points[slot]))
            pairs.append((f"version of slot {slot}", row.version_id, versions[slot].version_id))
        pairs.append((f"answer of slot {slot}", row.answer, answers.get(slot)))
        pairs.append((f"score of slot {slot}", row.score, expected.get(slot)))
        pairs.append((f"credit of slot {slot}", _credit(row), _read_credit(row)))
    for place, was, now in pairs:
        if was != now:
            yield Difference(attempt.uuid, grading.number, place, str(was), str(now))


def _read_credit(row: ItemResult) -> Any:
    return row.score.get("credit") if isinstance(row.score, dict) else None


def _credit(row: ItemResult) -> list[int] | None:
    if row.credit_numerator is None or row.credit_denominator is None:
        return None
    return [row.credit_numerator, row.credit_denominator]
