"""Who may see and run imports: whoever may change the bank, and see its keys."""

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.access import editable_by
from quizzes.imports.models import ImportJob


def imports_visible_to(user: UserOrAnonymous) -> QuerySet[ImportJob]:
    """Return the imports into banks that this person may change, and see the keys of."""
    visible = banks_whose_keys_are_visible_to(user)
    return ImportJob.objects.filter(bank__in=editable_by(user)).filter(bank__in=visible)
