"""Who may read and edit quizzes as an author; who may take one is said in `attempts.access`."""

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous, editable_by_author, readable_by_author
from quizzes.publishing.models import Quiz


def visible_to(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes an author may read: those of their groups, and the shared ones."""
    return readable_by_author(user, Quiz.objects.all())


def editable_by(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes an author may change: those of their groups; administrators, all."""
    return editable_by_author(user, Quiz.objects.all())


def may_edit(user: UserOrAnonymous, quiz: Quiz) -> bool:
    """Return whether this person may change this quiz."""
    return editable_by(user).filter(pk=quiz.pk).exists()
