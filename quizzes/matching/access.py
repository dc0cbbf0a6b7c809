"""Who may see what was decided: whoever may read the bank."""

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.matching.models import PairDecision


def decisions_visible_to(user: UserOrAnonymous) -> QuerySet[PairDecision]:
    """Return the decisions on questions of the banks that this person may read."""
    return PairDecision.objects.filter(question__bank__in=banks_whose_keys_are_visible_to(user))
