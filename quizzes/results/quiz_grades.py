"""Bringing a learner's quiz grade up to date, inside the lock on its row."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final, NamedTuple

from grading import totals
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import MAXIMUM, TOTAL, Attempt, QuizGrade, State
from quizzes.attempts.selectors import parse_manifest
from quizzes.lib.prepared_writes import PreparedRowUpdate
from quizzes.lib.row_writers import update_columns
from quizzes.publishing.policies import Policies
from quizzes.results.models import Result
from quizzes.results.scoring import AttemptScore

OUTCOME_FIELDS: Final = (
    *("attempts_graded", "attempt", "passed", "updated_at"),
    *("total_numerator", "total_denominator", "maximum_numerator", "maximum_denominator"),
)
_OUTCOME = PreparedRowUpdate(QuizGrade, *OUTCOME_FIELDS)
NOTHING_PARSED: Final[Mapping[int, Manifest]] = {}
Counted = tuple[int, totals.AttemptOutcome]
"""An attempt and what it came to."""
Terms = tuple[Fraction, str]
"""The pass mark of an attempt, and which attempts at its quiz count."""


class GradedAttempt(NamedTuple):
    """An attempt that counts for a quiz grade: what it came to, and its attempt grade policy."""

    quiz_grade_id: int
    attempt_id: int
    policy: str
    outcome: totals.AttemptOutcome


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
    _fill_outcome(quiz_grade, policy, [*before, (row.pk, outcome)], now)
    _OUTCOME.update(quiz_grade)


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
    counted: dict[int, list[Counted]] = {quiz_grade.pk: [] for quiz_grade in quiz_grades}
    policies: dict[int, str] = {}
    for graded in _read_graded(quiz_grades, manifests):
        policies[graded.quiz_grade_id] = graded.policy
        counted[graded.quiz_grade_id].append((graded.attempt_id, graded.outcome))
    for quiz_grade in quiz_grades:
        outcomes = counted[quiz_grade.pk]
        quiz_grade.attempts_graded = len(outcomes)
        policy = policies.get(quiz_grade.pk, totals.ATTEMPT_GRADE_POLICIES[0])
        _fill_outcome(quiz_grade, policy, outcomes, now)
    update_columns(QuizGrade, quiz_grades, OUTCOME_FIELDS)


def _read_graded(
    quiz_grades: Sequence[QuizGrade], manifests: Mapping[int, Manifest]
) -> Iterator[GradedAttempt]:
    """Yield all attempts that count for these quiz grades, by number."""
    results = Result.objects.filter(
        attempt__quiz_grade__in=quiz_grades,
        attempt__state=State.GRADED,
        attempt__is_staff_attempt=False,
    ).order_by("attempt__number")
    if not manifests:
        for row in results.select_related("attempt__quiz_version", "grading"):
            attempt, grading = row.attempt, row.grading
            threshold, policy = load_terms(attempt)
            outcome = totals.AttemptOutcome(
                attempt.number, grading.total, grading.maximum, threshold
            )
            yield GradedAttempt(attempt.quiz_grade_id, attempt.pk, policy, outcome)
        return
    columns = ("attempt__quiz_grade", "attempt", "attempt__number")
    points = [f"grading__{column}" for column in (*TOTAL, *MAXIMUM)]
    rows = list(results.values_list(*columns, *points))
    terms = {attempt: _read_terms(manifest) for attempt, manifest in manifests.items()}
    if missing := {row[1] for row in rows} - terms.keys():
        others = Attempt.objects.filter(pk__in=missing).select_related("quiz_version")
        terms |= {attempt.pk: load_terms(attempt) for attempt in others}
    for quiz_grade_id, attempt_id, number, *total, numerator, denominator in rows:
        threshold, policy = terms[attempt_id]
        outcome = totals.AttemptOutcome(
            number, Fraction(*total), Fraction(numerator, denominator), threshold
        )
        yield GradedAttempt(quiz_grade_id, attempt_id, policy, outcome)


def load_terms(attempt: Attempt) -> Terms:
    """Return pass mark and policy of an attempt; of one that cannot be read, its quiz version's.

    A grading that was made stays in the count, whatever became of the manifest since.
    """
    manifest, quiz_version = parse_manifest(attempt), attempt.quiz_version
    if isinstance(manifest, Manifest):
        return _read_terms(manifest)
    return quiz_version.threshold, Policies.from_json(quiz_version.policies).attempt_grade_policy


def _read_terms(manifest: Manifest) -> Terms:
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
    return [(counted.pk, outcome)]


def _fill_outcome(
    quiz_grade: QuizGrade, policy: str, counted: Sequence[Counted], now: datetime
) -> None:
    quiz_outcome = totals.compute_quiz_outcome(policy, [outcome for _, outcome in counted])
    numbers = quiz_outcome.numbers if quiz_outcome else ()
    quiz_grade.attempt_id = next(
        (attempt for attempt, outcome in counted if (outcome.number,) == numbers), None
    )
    quiz_grade.total_numerator = quiz_outcome.total.numerator if quiz_outcome else None
    quiz_grade.total_denominator = quiz_outcome.total.denominator if quiz_outcome else None
    quiz_grade.maximum_numerator = quiz_outcome.maximum.numerator if quiz_outcome else None
    quiz_grade.maximum_denominator = quiz_outcome.maximum.denominator if quiz_outcome else None
    quiz_grade.passed = quiz_outcome.passed if quiz_outcome else None
    quiz_grade.updated_at = now
