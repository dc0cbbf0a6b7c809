"""The attempts beside one at its quiz, for who grades learner by learner."""

from dataclasses import dataclass

from django.db.models import Q

from accounts.models import User
from quizzes.attempts.models import Attempt
from quizzes.results.overseen_results import list_overseen_results


@dataclass(frozen=True, slots=True)
class NeighbourAttempts:
    """The newest graded attempts of the learners before and after, by name."""

    previous: Attempt | None
    following: Attempt | None


def find_neighbour_attempts(*, attempt: Attempt, viewer: User) -> NeighbourAttempts:
    """Return those of learners whom the viewer oversees, never their own and none of staff."""
    results = list_overseen_results(viewer).filter(quiz=attempt.quiz_id)
    rows = results.select_related("attempt__learner")
    name, pk = attempt.learner.name, attempt.learner_id
    before = rows.filter(Q(learner__name__lt=name) | Q(learner__name=name, learner__pk__lt=pk))
    after = rows.filter(Q(learner__name__gt=name) | Q(learner__name=name, learner__pk__gt=pk))
    last = before.order_by("-learner__name", "-learner__pk", "-attempt__number").first()
    first = after.order_by("learner__name", "learner__pk", "-attempt__number").first()
    return NeighbourAttempts(last.attempt if last else None, first.attempt if first else None)
