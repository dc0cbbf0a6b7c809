"""What a learner is told of the regrades of an attempt: the score before, the score after, why."""

from fractions import Fraction
from itertools import pairwise

from quizzes.attempts.manifest import Manifest
from quizzes.bank.models import QuestionVersion
from quizzes.results.attempt_report import RegradeNotice, Score
from quizzes.results.models import Grading, Reason, RegradeRule


def load_regrade_notices(
    quiz: int, grading: Grading, manifest: Manifest
) -> tuple[RegradeNotice, ...]:
    """Return the regrades up to a grading that changed the score of its attempt, the last first.

    Where the grading read no rule there is no query; where no score was changed there is one.
    """
    if not grading.regrade_rules_read:
        return ()
    gradings = list(
        Grading.objects.filter(attempt=grading.attempt_id, number__lte=grading.number)
        .defer("digest")
        .order_by("number")
    )
    changes = [
        (before, after)
        for before, after in pairwise(gradings)
        if after.reason == Reason.REGRADE
        and (before.total, before.maximum, before.passed)
        != (after.total, after.maximum, after.passed)
    ]
    if not changes:
        return ()
    questions = QuestionVersion.objects.filter(
        uuid__in=[slot.version for slot in manifest.slots]
    ).values("question")
    rules = list(
        RegradeRule.objects.filter(
            quiz=quiz,
            number__lte=grading.regrade_rules_read,
            version__question__in=questions,
        ).order_by("number")
    )
    return tuple(
        RegradeNotice(
            after.graded_at,
            build_score(before, manifest.threshold),
            build_score(after, manifest.threshold),
            tuple(
                dict.fromkeys(
                    rule.reason
                    for rule in rules
                    if before.regrade_rules_read < rule.number <= after.regrade_rules_read
                )
            ),
        )
        for before, after in reversed(changes)
    )


def build_score(grading: Grading, threshold: Fraction) -> Score:
    """Return the score of a grading."""
    return Score(grading.total, grading.maximum, threshold, grading.passed, grading.provisional)
