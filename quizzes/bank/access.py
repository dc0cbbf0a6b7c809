"""Who may read and edit banks: from one role map, so that filter and predicate agree."""

from django.db.models import Q, QuerySet

from accounts.access import UserOrAnonymous, groups_taught, is_administrator, is_instructor
from quizzes.bank.models import Bank, Question


def visible_to(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks an author may read: those of their groups, and the shared ones."""
    if is_administrator(user):
        return Bank.objects.all()
    if not is_instructor(user):
        return Bank.objects.none()
    return Bank.objects.filter(Q(group__isnull=True) | Q(group__in=groups_taught(user)))


def editable_by(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks an author may change: those of their groups; administrators, all."""
    if is_administrator(user):
        return Bank.objects.all()
    return Bank.objects.filter(group__in=groups_taught(user))


def may_edit(user: UserOrAnonymous, bank: Bank) -> bool:
    """Return whether this person may change this bank."""
    return editable_by(user).filter(pk=bank.pk).exists()


def questions_visible_to(user: UserOrAnonymous) -> QuerySet[Question]:
    """Return the questions of the banks an author may read."""
    return Question.objects.filter(bank__in=visible_to(user))
