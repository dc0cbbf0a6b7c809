"""Applying the rules of regrade of a quiz to many attempts at once: as many statements as for one.

In one transaction, under the locks of grading: all quiz grades, then all attempts, each in the
order of their keys, as everybody who locks several does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery

from quizzes.attempts.journal import with_current_responses
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, QuizGrade, State
from quizzes.events import services as events
from quizzes.results.grading_records import (
    GRADED,
    GradingInput,
    GradingReason,
    build_grading,
    build_grading_input,
    describe_grading,
    item_score_to_json,
)
from quizzes.results.manual_grades import load_manual_grades
from quizzes.results.models import Grading, ItemResult, Reason, Result
from quizzes.results.quiz_grades import recompute_quiz_grades
from quizzes.results.regrade_rules import RuleSet, load_rules
from quizzes.results.scoring import AttemptScore, score_attempt

Points = tuple[int, int]
"""What a slot is worth: numerator and denominator."""


@dataclass(frozen=True, slots=True)
class _Regrade:
    """An attempt whose scores are others by the rules, and what they are."""

    row: Attempt
    result: Result
    grading_input: GradingInput
    attempt_score: AttemptScore
    manual_grades_read: int


@transaction.atomic
def apply_rules(*, quiz: int, attempts: Sequence[int], last: int, now: datetime) -> int:
    """Append to each of these attempts a grading that reads all rules, if it differs.

    Returns how many there are. Attempts of staff, void ones and those whose answers were erased
    keep what they have.
    """
    rows = {row.pk: row for row in _lock_attempts(attempts)}
    results = Result.objects.filter(attempt__in=rows, regrade_rules_applied__lt=last)
    waiting = list(results.select_related("grading").order_by("attempt"))
    points = _load_points(waiting)
    going = [
        result
        for result in waiting
        if points[result.grading_id] is not None and _can_change(rows[result.attempt_id])
    ]
    manifests = {
        result.attempt_id: Manifest.from_json(rows[result.attempt_id].manifest) for result in going
    }
    rules, regrades = load_rules(quiz, manifests.values()), list[_Regrade]()
    if rules is not None:
        scores = _load_scores(going, rules)
        for result in going:
            row, manifest = rows[result.attempt_id], manifests[result.attempt_id]
            regrade = _score(row, result, manifest, rules)
            if _differs(regrade, scores, points[result.grading_id]):
                regrades.append(regrade)
        _record(regrades, rules, manifests, now)
    changed = {regrade.result.pk for regrade in regrades}
    same = [result.pk for result in waiting if result.pk not in changed]
    Result.objects.filter(pk__in=same).update(regrade_rules_applied=last)
    return len(regrades)


def _lock_attempts(attempts: Sequence[int]) -> list[Attempt]:
    """Return attempts with the answers that count, locked with their quiz grades."""
    chosen = Attempt.objects.filter(pk__in=attempts)
    quiz_grades = QuizGrade.objects.filter(pk__in=chosen.order_by().values("quiz_grade"))
    locked = {row.pk: row for row in quiz_grades.select_for_update().order_by("pk")}
    rows = list(with_current_responses(chosen).select_for_update(of=("self",)).order_by("pk"))
    for row in rows:
        row.quiz_grade = locked[row.quiz_grade_id]
    return rows


def _load_points(results: Sequence[Result]) -> dict[int, list[Points] | None]:
    """Return by grading what its slots are worth, in order; None where answers were erased."""
    points: dict[int, list[Points] | None] = {result.grading_id: [] for result in results}
    columns = ("grading", "erasure", "points_numerator", "points_denominator")
    items = ItemResult.objects.filter(grading__in=points).order_by("slot")
    rows: Iterable[tuple[Any, ...]] = items.values_list(*columns)
    for grading, erasure, numerator, denominator in rows:
        listed = points[grading]
        if erasure is not None:
            points[grading] = None
        elif listed is not None:
            listed.append((numerator, denominator))
    return points


def _load_scores(results: Sequence[Result], rules: RuleSet) -> dict[tuple[int, int], Any]:
    """Return the stored scores of the slots that some rule is about, by grading and slot."""
    concerned = ItemResult.objects.filter(
        grading__in=[result.grading_id for result in results],
        version__in=[version.pk for version in rules.versions.values()],
    )
    rows = concerned.order_by().values_list("grading", "slot", "score")
    return {(grading, slot): score for grading, slot, score in rows}


def _can_change(row: Attempt) -> bool:
    return row.state == State.GRADED and not row.is_staff_attempt


def _score(row: Attempt, result: Result, manifest: Manifest, rules: RuleSet) -> _Regrade:
    grading_input = build_grading_input(row, manifest, rules.find_corrections(manifest))
    manual_grades = load_manual_grades(row.pk, result.grading.manual_grades_read)
    attempt_score = score_attempt(
        grading_input.manifest,
        grading_input.answers,
        grading_input.public_versions,
        grading_input.keys,
        manual_grades.by_slot,
        grading_input.corrections,
        manual_grades.total_share,
    )
    return _Regrade(row, result, grading_input, attempt_score, manual_grades.count)


def _differs(
    regrade: _Regrade, scores: Mapping[tuple[int, int], Any], points: Sequence[Points] | None
) -> bool:
    """Return whether the rules change a score, what a slot is worth, or what it comes to."""
    score, grading = regrade.attempt_score, regrade.result.grading
    return (
        (grading.total, grading.maximum) != (score.total, score.maximum)
        or points != [(worth.numerator, worth.denominator) for worth in score.points]
        or any(
            scores[grading.pk, slot] != item_score_to_json(score.item_scores[slot])
            for slot in regrade.grading_input.corrections.concerned
        )
    )


def _record(
    regrades: Sequence[_Regrade],
    rules: RuleSet,
    manifests: Mapping[int, Manifest],
    now: datetime,
) -> None:
    """Append the gradings, and bring up to date what follows from them."""
    if not regrades:
        return
    built = [
        build_grading(
            regrade.row,
            regrade.grading_input,
            regrade.attempt_score,
            GradingReason(
                Reason.REGRADE,
                by=rules.rules[-1].by,
                previous_number=regrade.result.grading.number,
                manual_grades_read=regrade.manual_grades_read,
            ),
            bytes(regrade.result.grading.digest),
            now,
        )
        for regrade in regrades
    ]
    gradings = Grading.objects.bulk_create(grading for grading, _ in built)
    ItemResult.objects.bulk_create(item for _, items in built for item in items)
    newest = Grading.objects.filter(attempt=OuterRef("attempt")).order_by("-number").values("pk")
    Result.objects.filter(pk__in=[regrade.result.pk for regrade in regrades]).update(
        grading=Subquery(newest[:1]), updated_at=now, regrade_rules_applied=len(rules.rules)
    )
    Attempt.objects.filter(pk__in=[regrade.row.pk for regrade in regrades]).update(updated_at=now)
    quiz_grades: Mapping[int, QuizGrade] = {
        regrade.row.quiz_grade_id: regrade.row.quiz_grade for regrade in regrades
    }
    recompute_quiz_grades(list(quiz_grades.values()), now, manifests)
    facts = [
        (regrade.row.uuid, describe_grading(grading))
        for regrade, grading in zip(regrades, gradings, strict=True)
    ]
    events.record_each(kind=GRADED, facts=facts, now=now, is_news=True)
