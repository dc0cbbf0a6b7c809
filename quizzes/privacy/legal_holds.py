"""What must not be erased for now: a dispute, an appeal, an order of a court."""

from django.db.models import Q, QuerySet

from accounts.models import User
from quizzes.privacy.models import LegalHold


def list_holds(person: User) -> QuerySet[LegalHold]:
    """Return the holds on a person: their own, and those of the classes that they are in."""
    of_groups = Q(group__in=person.memberships.values("group_id"))
    return LegalHold.objects.filter(Q(person=person) | of_groups)
