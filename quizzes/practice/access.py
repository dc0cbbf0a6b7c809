"""Who may practise a quiz now."""

from datetime import datetime
from uuid import UUID

from accounts.models import User
from quizzes.attempts.access import find_takeable
from quizzes.attempts.selectors import load_start_inputs
from quizzes.lib.errors import NotFound, Refused
from quizzes.publishing.models import Mode, Quiz
from quizzes.publishing.selectors import load_quiz_version


def find_practice_quiz(learner: User, quiz: UUID, now: datetime) -> Quiz:
    """Return a quiz that this person may practise now; else NotFound, or Refused: not open now."""
    row = find_takeable(learner, quiz)
    if row is None or row.current is None:
        raise NotFound
    policies = load_quiz_version(row.current).policies
    if policies.mode != Mode.PRACTICE:
        raise NotFound
    eligibility = load_start_inputs(row, learner).eligibility(policies, now)
    if not eligibility.allowed:
        raise Refused(eligibility.code)
    return row
