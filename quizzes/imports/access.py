"""Who may see and run imports: whoever may change the bank, and see its keys."""

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.access import editable_by
from quizzes.imports.models import ImportJob
from quizzes.lib.errors import NotFound


def imports_visible_to(user: UserOrAnonymous) -> QuerySet[ImportJob]:
    """Return the imports into banks that this person may change, and see the keys of."""
    visible = banks_whose_keys_are_visible_to(user)
    return ImportJob.objects.filter(bank__in=editable_by(user)).filter(bank__in=visible)


def check_importer(by: User | None, job: ImportJob) -> None:
    """Refuse who may not run this import: NotFound. Nobody (None) is the site itself: a task."""
    if by is not None and not imports_visible_to(by).filter(pk=job.pk).exists():
        raise NotFound
