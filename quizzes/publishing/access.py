"""Who may read and edit quizzes as an author; who may take one is said in `attempts.access`."""

from django.db.models import QuerySet

from accounts.access import (
    UserOrAnonymous,
    editable_by_author,
    groups_taught,
    is_administrator,
    readable_by_author,
)
from accounts.models import User
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Quiz


def visible_to(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes an author may read: those of their groups, and the shared ones."""
    return readable_by_author(user, Quiz.objects.all())


def editable_by(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes an author may change: those of their groups; administrators, all."""
    return editable_by_author(user, Quiz.objects.all())


def check_editor(by: User | None, quiz: Quiz) -> None:
    """Refuse whoever may not change this quiz: NotFound. Nobody (None) is the site: a command."""
    if by is not None and not may_edit(by, quiz):
        raise NotFound


def check_owning_group(by: User, quiz: Quiz) -> None:
    """Refuse a quiz that would belong to no class of this person: NotFound."""
    if not is_administrator(by) and quiz.group not in groups_taught(by):
        raise NotFound


def may_edit(user: UserOrAnonymous, quiz: Quiz) -> bool:
    """Return whether this person may change this quiz."""
    return editable_by(user).filter(pk=quiz.pk).exists()
