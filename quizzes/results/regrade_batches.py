"""Applying the rules of regrade of a quiz to many attempts at once: as many statements as for one.

In one transaction, under the locks of grading: all quiz grades, then all attempts, each in the
order of their keys, as everybody who locks several does. Equal answers are scored once.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Case, TextField, When
from django.db.models.functions import Cast

from quizzes.attempts.journal import load_current_answers
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, QuizGrade, State
from quizzes.attempts.selectors import load_manifest_versions
from quizzes.bank.models import QuestionVersion
from quizzes.events import services as events
from quizzes.lib.row_writers import insert_sharing, update_columns
from quizzes.results.attempt_regrade import (
    OWN_COLUMNS,
    SHARED_COLUMNS,
    AttemptRegrade,
    ItemRow,
    StoredSlot,
    differs,
    regrade_attempt,
)
from quizzes.results.grading_records import (
    GRADED,
    GradingReason,
    build_grading,
    describe_grading,
)
from quizzes.results.models import Grading, ItemResult, Reason, Result
from quizzes.results.quiz_grades import recompute_quiz_grades
from quizzes.results.regrade_rules import RuleSet, load_rules
from quizzes.results.slot_scores import SlotScores

ATTEMPT_COLUMNS: Final = (
    *("uuid", "learner", "quiz", "quiz_version", "quiz_grade", "number"),
    *("state", "is_staff_attempt", "manifest"),
)
GRADING_COLUMNS: Final = tuple(
    f"grading__{column}"
    for column in (
        *("attempt", "number", "manual_grades_read", "digest"),
        *("total_numerator", "total_denominator", "maximum_numerator", "maximum_denominator"),
    )
)


@transaction.atomic
def apply_rules(
    *,
    quiz: int,
    attempts: Sequence[int],
    last: int,
    now: datetime,
    slot_scores: SlotScores | None = None,
) -> int:
    """Append to each of these attempts a grading that reads all rules, if it differs.

    Returns how many there are. Attempts of staff, void ones and those whose answers were erased
    keep what they have. `slot_scores` are remembered from one call for a quiz to the next.
    """
    rows = {row.pk: row for row in _lock_attempts(attempts)}
    results = Result.objects.filter(attempt__in=rows, regrade_rules_applied__lt=last)
    columns = ("attempt", "regrade_rules_applied", *GRADING_COLUMNS)
    waiting = list(results.select_related("grading").only(*columns).order_by("attempt"))
    changeable = [result for result in waiting if _can_change(rows[result.attempt_id])]
    manifests = {
        result.attempt_id: Manifest.from_json(rows[result.attempt_id].manifest)
        for result in changeable
    }
    rules, regrades = load_rules(quiz, manifests.values()), list[AttemptRegrade]()
    if rules is not None:
        # For the rules that were read: another may be committed before the next statement.
        items = _load_items(rules, changeable)
        scores = slot_scores or SlotScores()
        scores.use_rules(len(rules.rules))
        answers = load_current_answers(manifests)
        for result in changeable:
            stored = items[result.grading_id]
            if stored is None:
                continue
            row, manifest = rows[result.attempt_id], manifests[result.attempt_id]
            regrade = regrade_attempt(row, result, manifest, answers[row.pk], rules, scores)
            if differs(regrade, stored):
                regrades.append(regrade)
        _record(regrades, rules, manifests, now)
    changed = {regrade.result.pk for regrade in regrades}
    same = [result.pk for result in waiting if result.pk not in changed]
    Result.objects.filter(pk__in=same).update(regrade_rules_applied=last)
    return len(regrades)


def _lock_attempts(attempts: Sequence[int]) -> list[Attempt]:
    """Return attempts, locked with their quiz grades."""
    chosen = Attempt.objects.filter(pk__in=attempts)
    quiz_grades = QuizGrade.objects.filter(pk__in=chosen.order_by().values("quiz_grade"))
    locked = {row.pk: row for row in quiz_grades.select_for_update().order_by("pk")}
    rows = list(chosen.only(*ATTEMPT_COLUMNS).select_for_update(of=("self",)).order_by("pk"))
    for row in rows:
        row.quiz_grade = locked[row.quiz_grade_id]
    return rows


def _load_items(rules: RuleSet, results: Sequence[Result]) -> dict[int, list[StoredSlot] | None]:
    """Return the stored items by grading, in the order of slots; None where answers were erased."""
    items: dict[int, list[StoredSlot] | None] = {result.grading_id: [] for result in results}
    questions = {rule.version.question_id for rule in rules.rules}
    concerned = QuestionVersion.objects.filter(question__in=questions).values("pk")
    score = Case(When(version__in=concerned, then=Cast("score", TextField())))
    columns = ("grading", "erasure", "points_numerator", "points_denominator", score)
    rows: Iterable[tuple[Any, ...]] = (
        ItemResult.objects.filter(grading__in=items).order_by("slot").values_list(*columns)
    )
    for grading, erasure, numerator, denominator, text in rows:
        listed = items[grading]
        if erasure is not None:
            items[grading] = None
        elif listed is not None:
            listed.append(StoredSlot((numerator, denominator), text))
    return items


def _can_change(row: Attempt) -> bool:
    return row.state == State.GRADED and not row.is_staff_attempt


def _record(
    regrades: Sequence[AttemptRegrade],
    rules: RuleSet,
    manifests: Mapping[int, Manifest],
    now: datetime,
) -> None:
    """Append the gradings, and bring up to date what follows from them."""
    if not regrades:
        return
    built: list[tuple[Grading, list[ItemRow]]] = []
    for regrade in regrades:
        row, before = regrade.row, regrade.result.grading
        versions = load_manifest_versions(manifests[row.pk])
        items = regrade.build_items([version.version_id for version in versions])
        reason = GradingReason(
            Reason.REGRADE,
            by=rules.rules[-1].by,
            previous_number=before.number,
            manual_grades_read=regrade.manual_grades_read,
        )
        grading = build_grading(
            row, items, regrade.attempt_score, reason, len(rules.rules), bytes(before.digest), now
        )
        built.append((grading, items))
    gradings = Grading.objects.bulk_create(grading for grading, _ in built)
    insert_sharing(
        ItemResult,
        OWN_COLUMNS,
        SHARED_COLUMNS,
        [
            ((grading.learner_id, grading.pk, item.slot), item.shared_values)
            for grading, items in built
            for item in items
        ],
    )
    _update_results(regrades, gradings, len(rules.rules), now)
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


def _update_results(
    regrades: Sequence[AttemptRegrade], gradings: Sequence[Grading], rules: int, now: datetime
) -> None:
    """Let each result name its new grading."""
    for regrade, grading in zip(regrades, gradings, strict=True):
        regrade.result.grading_id = grading.pk
        regrade.result.updated_at = now
        regrade.result.regrade_rules_applied = rules
    results = [regrade.result for regrade in regrades]
    update_columns(Result, results, ("grading", "updated_at", "regrade_rules_applied"))
