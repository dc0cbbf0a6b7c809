"""What of a gradebook may be exported, and the record of who did."""

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import Group, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.publishing.models import Quiz
from quizzes.results.gradebook import list_gradebook_quizzes
from quizzes.results.item_grades import list_item_quizzes

GRADES, ATTEMPTS, ITEMS = "grades", "attempts", "items"
"""What a row is of: a learner, an attempt, an attempt with each of its answers."""


def list_exported_quizzes(*, group: Group, viewer: User, rows: str) -> tuple[Quiz, ...]:
    """Return the quizzes of the gradebook; of answers, those that this person may read now.

    No class that they oversee: NotFound.
    """
    list_quizzes = list_item_quizzes if rows == ITEMS else list_gradebook_quizzes
    return list_quizzes(group=group, viewer=viewer)


def record_gradebook_export(
    *, group: Group, quizzes: Sequence[Quiz], rows: str, choice: Mapping[str, Any]
) -> None:
    """Record that these quizzes of `list_exported_quizzes` are exported, as was chosen."""
    record(AuditCode.RESULTS_EXPORTED, about=group, group=group.pk, after=dict(choice))
    # Which answers earned everything is as good as the key.
    for quiz in quizzes if rows == ITEMS else ():
        record(AuditCode.KEYS_VIEWED, about=quiz, once=True)
