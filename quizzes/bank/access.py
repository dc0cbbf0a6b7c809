"""Who may read and edit banks: from one role map, so that filter and predicate agree."""

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous, editable_by_author, readable_by_author
from quizzes.bank.models import Bank, Question


def visible_to(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks an author may read: those of their groups, and the shared ones."""
    return readable_by_author(user, Bank.objects.all())


def editable_by(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks an author may change: those of their groups; administrators, all."""
    return editable_by_author(user, Bank.objects.all())


def may_edit(user: UserOrAnonymous, bank: Bank) -> bool:
    """Return whether this person may change this bank."""
    return editable_by(user).filter(pk=bank.pk).exists()


def questions_visible_to(user: UserOrAnonymous) -> QuerySet[Question]:
    """Return the questions of the banks an author may read."""
    return Question.objects.filter(bank__in=visible_to(user))
