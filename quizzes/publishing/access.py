"""Who may read and edit quizzes as an author; who may take one is said in `attempts.access`."""

from django.db.models import Q, QuerySet

from accounts.access import UserOrAnonymous, groups_taught, is_administrator, is_instructor
from quizzes.publishing.models import Quiz


def visible_to(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes an author may read: those of their groups, and the shared ones."""
    if is_administrator(user):
        return Quiz.objects.all()
    if not is_instructor(user):
        return Quiz.objects.none()
    return Quiz.objects.filter(Q(group__isnull=True) | Q(group__in=groups_taught(user)))


def editable_by(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes an author may change: those of their groups; administrators, all."""
    if is_administrator(user):
        return Quiz.objects.all()
    return Quiz.objects.filter(group__in=groups_taught(user))


def may_edit(user: UserOrAnonymous, quiz: Quiz) -> bool:
    """Return whether this person may change this quiz."""
    return editable_by(user).filter(pk=quiz.pk).exists()
