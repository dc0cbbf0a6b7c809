"""Who may see which notifications, and have them sent again."""

from django.db.models import F, QuerySet

from accounts.access import UserOrAnonymous
from quizzes.attempts.access import supervised_by
from quizzes.attempts.key_access import quizzes_hidden_from_taker
from quizzes.notifications.models import Notification


def list_overseen_notifications(user: UserOrAnonymous) -> QuerySet[Notification]:
    """Return the notifications of attempts and quizzes that this person oversees; no one's own.

    Administrators: all. None of a quiz that shares a bank with a graded attempt that they have
    open: whose score a regrade has changed says something of the key.
    """
    if not user.is_authenticated:
        return Notification.objects.none()
    rows = Notification.objects.alias(learner=F("recipient")).filter(supervised_by(user))
    rows = rows.exclude(recipient=user)
    return rows.exclude(quiz__in=quizzes_hidden_from_taker(user))
