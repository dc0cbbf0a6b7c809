"""Bringing a learner's standing up to date with a new grading, inside the lock on its row."""

from grading import totals
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Standing, State
from quizzes.results.marking import Marked
from quizzes.results.models import Result


def settle(row: Attempt, manifest: Manifest, marked: Marked) -> None:
    """Bring the standing up to date, inside the lock that grading holds on it."""
    standing = row.standing
    outcome = totals.Outcome(row.number, marked.total, marked.maximum, manifest.threshold)
    settled = totals.standing(
        manifest.policies.standing, [*_before(standing, manifest.policies.standing), outcome]
    )
    if settled is None:
        raise ValueError("a standing of no outcomes")
    if settled.numbers == (row.number,):
        standing.attempt = row
    elif len(settled.numbers) > 1:
        standing.attempt = None
    standing.attempts_graded += 1
    standing.total_numerator = settled.total.numerator
    standing.total_denominator = settled.total.denominator
    standing.maximum_numerator = settled.maximum.numerator
    standing.maximum_denominator = settled.maximum.denominator
    standing.passed = settled.passed
    standing.save()


def _before(standing: Standing, policy: str) -> list[totals.Outcome]:
    """Give the outcomes that the new one is held against.

    Of the highest, latest or first, the one that counted so far stands for all before it, and came
    with the lock; an average needs them all.
    """
    if not standing.attempts_graded:
        return []
    counted = standing.attempt
    if (
        policy != "average"
        and counted
        and standing.total is not None
        and standing.maximum is not None
    ):
        threshold = Manifest.from_json(counted.manifest).threshold
        return [totals.Outcome(counted.number, standing.total, standing.maximum, threshold)]
    return outcomes(standing)


def outcomes(standing: Standing) -> list[totals.Outcome]:
    """Give the outcome of every graded attempt of a learner on a quiz."""
    rows = Result.objects.filter(attempt__standing=standing, attempt__state=State.GRADED)
    return [
        totals.Outcome(
            row.attempt.number,
            row.grading.total,
            row.grading.maximum,
            Manifest.from_json(row.attempt.manifest).threshold,
        )
        for row in rows.select_related("attempt", "grading")
    ]
