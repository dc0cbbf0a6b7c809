"""Bringing a learner's quiz grade up to date, inside the lock on its row."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final

from django.db import connection

from grading import totals
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, QuizGrade, State
from quizzes.attempts.selectors import parse_manifest
from quizzes.lib.row_writers import build_updates
from quizzes.publishing.policies import Policies
from quizzes.results.models import Result
from quizzes.results.scoring import AttemptScore

OUTCOME_FIELDS: Final = (
    *("attempts_graded", "attempt", "passed", "updated_at"),
    *("total_numerator", "total_denominator", "maximum_numerator", "maximum_denominator"),
)
NOTHING_PARSED: Final[Mapping[int, Manifest]] = {}
Counted = tuple[Attempt, totals.AttemptOutcome]


def update_quiz_grade(
    row: Attempt, manifest: Manifest, attempt_score: AttemptScore, now: datetime
) -> None:
    """Fold a new grading into the quiz grade, inside the lock that grading holds on it.

    The grading and the attempt's new state are written before. An attempt of staff changes nothing.
    """
    if row.is_staff_attempt:
        return
    quiz_grade, policy = row.quiz_grade, manifest.policies.attempt_grade_policy
    before = _load_counted(row, manifest)
    if before is None:
        recompute_quiz_grade(quiz_grade, now)
        return
    outcome = totals.AttemptOutcome(
        row.number, attempt_score.total, attempt_score.maximum, manifest.threshold
    )
    quiz_grade.attempts_graded += 1
    _fill_outcome(quiz_grade, policy, [*before, (row, outcome)], now)
    quiz_grade.save()


def recompute_quiz_grade(quiz_grade: QuizGrade, now: datetime) -> None:
    """Work the quiz grade out anew from every graded attempt; its row is locked by the caller."""
    recompute_quiz_grades([quiz_grade], now)


def recompute_quiz_grades(
    quiz_grades: Sequence[QuizGrade],
    now: datetime,
    manifests: Mapping[int, Manifest] = NOTHING_PARSED,
) -> None:
    """Work each of these out anew, read in one statement; their rows are locked by the caller.

    The policy is that of the latest attempt: quiz versions may differ in it. `manifests` are those
    that the caller has parsed, by attempt.
    """
    rows = Result.objects.filter(
        attempt__quiz_grade__in=quiz_grades,
        attempt__state=State.GRADED,
        attempt__is_staff_attempt=False,
    )
    results: dict[int, list[Result]] = {quiz_grade.pk: [] for quiz_grade in quiz_grades}
    ordered = rows.select_related("attempt__quiz_version", "grading").order_by("attempt__number")
    for row in ordered:
        results[row.attempt.quiz_grade_id].append(row)
    for quiz_grade in quiz_grades:
        counted, policy = list[Counted](), totals.ATTEMPT_GRADE_POLICIES[0]
        for row in results[quiz_grade.pk]:
            manifest = manifests.get(row.attempt_id)
            threshold, policy = (
                load_terms(row.attempt) if manifest is None else _read_terms(manifest)
            )
            outcome = totals.AttemptOutcome(
                row.attempt.number, row.grading.total, row.grading.maximum, threshold
            )
            counted.append((row.attempt, outcome))
        quiz_grade.attempts_graded = len(counted)
        _fill_outcome(quiz_grade, policy, counted, now)
    with connection.cursor() as cursor:
        cursor.executemany(*build_updates(QuizGrade, quiz_grades, OUTCOME_FIELDS))


def load_terms(attempt: Attempt) -> tuple[Fraction, str]:
    """Return pass mark and policy of an attempt; of one that cannot be read, its quiz version's.

    A grading that was made stays in the count, whatever became of the manifest since.
    """
    manifest, quiz_version = parse_manifest(attempt), attempt.quiz_version
    if isinstance(manifest, Manifest):
        return _read_terms(manifest)
    return quiz_version.threshold, Policies.from_json(quiz_version.policies).attempt_grade_policy


def _read_terms(manifest: Manifest) -> tuple[Fraction, str]:
    return manifest.threshold, manifest.policies.attempt_grade_policy


def _load_counted(row: Attempt, manifest: Manifest) -> list[Counted] | None:
    """Return the outcome that counts of all attempts before this one; None where all must be read.

    For the highest, latest or first, that is the one counted so far, which came with the lock:
    if attempts are graded in their order and the quiz version, thus the policy, is still the same.
    """
    quiz_grade = row.quiz_grade
    if not quiz_grade.attempts_graded:
        return []
    counted, total, maximum = quiz_grade.attempt, quiz_grade.total, quiz_grade.maximum
    if (
        manifest.policies.attempt_grade_policy == "average"
        or counted is None
        or total is None
        or maximum is None
    ):
        return None
    if (
        counted.quiz_version_id != row.quiz_version_id
        or row.number != quiz_grade.attempts_graded + 1
    ):
        return None
    # Of the same quiz version, so with the same pass mark.
    outcome = totals.AttemptOutcome(counted.number, total, maximum, manifest.threshold)
    if outcome.passed != quiz_grade.passed:  # the pass is that of an attempt that is not counted
        return None
    return [(counted, outcome)]


def _fill_outcome(
    quiz_grade: QuizGrade, policy: str, counted: Sequence[Counted], now: datetime
) -> None:
    quiz_outcome = totals.compute_quiz_outcome(policy, [outcome for _, outcome in counted])
    numbers = quiz_outcome.numbers if quiz_outcome else ()
    quiz_grade.attempt = next(
        (attempt for attempt, _ in counted if (attempt.number,) == numbers), None
    )
    quiz_grade.total_numerator = quiz_outcome.total.numerator if quiz_outcome else None
    quiz_grade.total_denominator = quiz_outcome.total.denominator if quiz_outcome else None
    quiz_grade.maximum_numerator = quiz_outcome.maximum.numerator if quiz_outcome else None
    quiz_grade.maximum_denominator = quiz_outcome.maximum.denominator if quiz_outcome else None
    quiz_grade.passed = quiz_outcome.passed if quiz_outcome else None
    quiz_grade.updated_at = now
