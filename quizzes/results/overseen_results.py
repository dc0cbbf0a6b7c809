"""The results that somebody may go through as a grader."""

from django.db.models import QuerySet

from accounts.models import User
from quizzes.attempts.access import supervised_by
from quizzes.attempts.key_access import quizzes_hidden_from_taker
from quizzes.attempts.models import State
from quizzes.results.models import Result


def list_overseen_results(viewer: User) -> QuerySet[Result]:
    """Return the results of learners whom this person oversees, never their own; no order.

    Of attempts that count, none of staff, and none at a quiz that shares a bank with a graded
    attempt that the viewer has open.
    """
    overseen = Result.objects.filter(
        supervised_by(viewer), attempt__state=State.GRADED, attempt__is_staff_attempt=False
    )
    hidden = quizzes_hidden_from_taker(viewer)
    return overseen.exclude(learner=viewer).exclude(quiz__in=hidden).order_by()
