"""The version of an attempt, for its ETag: a change of its row or an answer makes another."""

from uuid import UUID

from django.db.models import Count, Q
from rest_framework.request import Request

from quizzes.api.permissions import request_user
from quizzes.api.preconditions import hash_version
from quizzes.attempts.models import Attempt, SaveStatus
from quizzes.attempts.selectors import AttemptView
from quizzes.lib.errors import NotFound


def attempt_version(attempt_view: AttemptView) -> str:
    """Return the version of an attempt that is read; no query."""
    # A revision counts the accepted answers of its slot.
    accepted = sum(response.revision for response in attempt_view.responses)
    return _hash(attempt_view.attempt, accepted)


def lock_attempt_version(request: Request, attempt: UUID) -> str:
    """Lock the row of one's own attempt and return its version. Not theirs: NotFound."""
    rows = Attempt.objects.filter(uuid=attempt, learner=request_user(request))
    row = rows.select_for_update().first()
    if row is None:
        raise NotFound
    return _hash(row, row.responses.filter(status=SaveStatus.ACCEPTED).count())


def read_attempt_version(attempt: UUID) -> str:
    """Return the version of an attempt as it is now; one query.

    In the transaction of a change: else it may be the version of another, later one.
    """
    accepted = Count("responses", Q(responses__status=SaveStatus.ACCEPTED))
    row = Attempt.objects.annotate(accepted_count=accepted).get(uuid=attempt)
    return _hash(row, row.accepted_count)


def _hash(attempt: Attempt, accepted: int) -> str:
    return hash_version(attempt.uuid, attempt.change_number, accepted)
