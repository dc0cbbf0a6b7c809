"""Regrades without a page: proposed, committed, applied, and the record verified after them."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from quizzes.attempts.models import Attempt
from quizzes.bank.models import Question
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.grading_recomputation import verify
from quizzes.results.grading_verification import verify_grading_digests
from quizzes.results.models import RegradeAction, RegradePolicy, RegradeRule, Result
from quizzes.results.outcome_verification import verify_quiz_grades, verify_results
from quizzes.results.regrade_preview import ProposedRule, preview_rule
from quizzes.results.regrading import commit_regrade
from tests.factories import NOW, option_ids, publish_change
from tests.users import Users


def correct_key(question: Question, letters: Iterable[str]) -> Question:
    return publish_change(question, key={"right": option_ids(question, *letters)})


def commit(
    quiz: Quiz,
    question: Question,
    users: Users,
    policy: RegradePolicy = RegradePolicy.KEEP_BETTER,
    **more: Any,
) -> RegradeRule:
    assert question.current is not None
    fields: dict[str, Any] = {
        "version": question.current.uuid,
        "reason": "The key was wrong.",
        "by": users.instructor,
        "now": NOW,
    }
    return commit_regrade(quiz=quiz, question=question, policy=policy, **{**fields, **more})


def preview(
    quiz: Quiz,
    question: Question,
    policy: Any,
    action: RegradeAction = RegradeAction.KEY,
    reverts: int | None = None,
    **more: Any,
) -> dict[int, Score | None]:
    """Return the score after a rule by primary key of the result."""
    proposed = ProposedRule((policy,), action, reverts, **more)
    previews = preview_rule(quiz=quiz, question=question, proposed=proposed)
    return {row.result.pk: row.after for (row,) in previews}


def read_scores(quiz: Quiz) -> dict[int, tuple[Fraction, Fraction, bool]]:
    """Return total, maximum and pass by result, as they count now."""
    return {
        row.pk: (row.grading.total, row.grading.maximum, row.grading.passed)
        for row in Result.objects.filter(quiz=quiz).select_related("grading").order_by("pk")
    }


def find_differences(quiz: Quiz | None = None) -> list[Any]:
    """Return what replaying the record finds: gradings (of a quiz), digests, results, grades."""
    graded = Attempt.objects.filter(gradings__isnull=False).distinct()
    if quiz is not None:
        graded = graded.filter(quiz=quiz)
    checks = (verify_grading_digests(), verify_results(), verify_quiz_grades())
    return [
        *(difference for _, differences in verify(graded) for difference in differences),
        *(difference for check in checks for differences in check for difference in differences),
    ]


def preview_regrade(*, quiz, question, policy=RegradePolicy.BY_KEY):
    """Yield each attempt by an older key, as it would be by the newest."""
    proposed = ProposedRule((policy,))
    return (preview for (preview,) in preview_rule(quiz=quiz, question=question, proposed=proposed))
