"""Bringing a learner's standing up to date, inside the lock on its row."""

from collections.abc import Sequence
from fractions import Fraction

from grading import totals
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Standing, State
from quizzes.attempts.selectors import read_manifest
from quizzes.publishing.policies import Policies
from quizzes.results.marking import Marked
from quizzes.results.models import Result

Counted = tuple[Attempt, totals.Outcome]


def settle(row: Attempt, manifest: Manifest, marked: Marked) -> None:
    """Fold a new grading into the standing, inside the lock that grading holds on it.

    The grading and the attempt's new state are written before.
    """
    standing, policy = row.standing, manifest.policies.standing
    before = _stands_for_all(row, manifest)
    if before is None:
        refresh(standing)
        return
    outcome = totals.Outcome(row.number, marked.total, marked.maximum, manifest.threshold)
    _write(standing, policy, [*before, (row, outcome)], standing.attempts_graded + 1)


def refresh(standing: Standing) -> None:
    """Work the standing out anew from every graded attempt; its row is locked by the caller.

    The policy is that of the latest attempt: quiz versions may differ in it.
    """
    rows = Result.objects.filter(attempt__standing=standing, attempt__state=State.GRADED)
    counted, policy = list[Counted](), totals.POLICIES[0]
    listed = rows.select_related("attempt__quiz_version", "grading").order_by("attempt__number")
    for row in listed:
        grading = row.grading
        threshold, policy = _terms(row.attempt)
        outcome = totals.Outcome(row.attempt.number, grading.total, grading.maximum, threshold)
        counted.append((row.attempt, outcome))
    _write(standing, policy, counted, len(counted))


def _terms(attempt: Attempt) -> tuple[Fraction, str]:
    """Return pass mark and policy of an attempt; of one that cannot be read, its quiz version's.

    A grading that was made stays in the count, whatever became of the manifest since.
    """
    manifest, quiz_version = read_manifest(attempt), attempt.quiz_version
    if isinstance(manifest, Manifest):
        return manifest.threshold, manifest.policies.standing
    return quiz_version.threshold, Policies.from_json(quiz_version.policies).standing


def _stands_for_all(row: Attempt, manifest: Manifest) -> list[Counted] | None:
    """Return the outcome that counts of all attempts before this one; None where all must be read.

    For the highest, latest or first, that is the one counted so far, which came with the lock:
    if attempts are graded in their order and the quiz version, thus the policy, is still the same.
    """
    standing = row.standing
    if not standing.attempts_graded:
        return []
    counted, total, maximum = standing.attempt, standing.total, standing.maximum
    if (
        manifest.policies.standing == "average"
        or counted is None
        or total is None
        or maximum is None
    ):
        return None
    if counted.quiz_version_id != row.quiz_version_id or row.number != standing.attempts_graded + 1:
        return None
    # Of the same quiz version, so with the same pass mark.
    return [(counted, totals.Outcome(counted.number, total, maximum, manifest.threshold))]


def _write(standing: Standing, policy: str, counted: Sequence[Counted], graded: int) -> None:
    settled = totals.standing(policy, [outcome for _, outcome in counted])
    numbers = settled.numbers if settled else ()
    standing.attempt = next(
        (attempt for attempt, _ in counted if (attempt.number,) == numbers), None
    )
    standing.attempts_graded = graded
    standing.total_numerator = settled.total.numerator if settled else None
    standing.total_denominator = settled.total.denominator if settled else None
    standing.maximum_numerator = settled.maximum.numerator if settled else None
    standing.maximum_denominator = settled.maximum.denominator if settled else None
    standing.passed = settled.passed if settled else None
    standing.save()
