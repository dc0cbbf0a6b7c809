"""Who may see and run imports: whoever may change the bank."""

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from quizzes.bank.access import editable_by
from quizzes.imports.models import ImportJob


def imports_visible_to(user: UserOrAnonymous) -> QuerySet[ImportJob]:
    """Return the imports into banks that this person may change."""
    return ImportJob.objects.filter(bank__in=editable_by(user))
