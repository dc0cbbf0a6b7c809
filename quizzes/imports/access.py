"""Who may see and run imports: whoever may change the bank."""

from django.db.models import QuerySet

from accounts.access import Person
from quizzes.bank.access import editable_by, visible_to
from quizzes.imports.models import ImportJob, Pairing


def imports_of(user: Person) -> QuerySet[ImportJob]:
    """Give the imports into banks that this person may change."""
    return ImportJob.objects.filter(bank__in=editable_by(user))


def pairings_of(user: Person) -> QuerySet[Pairing]:
    """Give what was said of twins in the banks that this person may read."""
    return Pairing.objects.filter(question__bank__in=visible_to(user))
