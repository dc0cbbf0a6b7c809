"""Whom a bank reaches: its editors, and those with whom it is shared (ADR 29).

Who sees its keys is said in `attempts.key_access`, which also knows who may take quizzes.
"""

from django.db.models import Exists, Q, QuerySet

from accounts.access import (
    UserOrAnonymous,
    groups_taught,
    is_administrator,
    is_instructor,
    lacks_second_factor,
    memberships_in_force,
)
from accounts.models import Group, Role, User
from quizzes.bank.models import Bank, BankRight, BankShare
from quizzes.lib.errors import NotFound


def editable_by(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks of which this person is an editor; administrators, all.

    Editors are the owner, the instructors of the bank's class, and those with whom it is shared for
    editing, as long as they teach.
    """
    return _reaching(user, Q(right=BankRight.EDIT))


def shared_with(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks that this person edits, and those shared with them for any use."""
    return _reaching(user, Q())


def may_edit(user: UserOrAnonymous, bank: Bank) -> bool:
    """Return whether this person is an editor of this bank."""
    return editable_by(user).filter(pk=bank.pk).exists()


def check_editor(by: User | None, bank: Bank) -> None:
    """Refuse whoever is no editor: NotFound. Nobody (None) is the site itself: a command."""
    if by is not None and not may_edit(by, bank):
        raise NotFound


def check_can_add_bank(by: User | None, group: Group | None) -> None:
    """Refuse who does not teach, or not this class: NotFound. None is the site itself."""
    if by is None:
        return
    is_theirs = group is None or groups_taught(by).filter(pk=group.pk).exists()
    if not is_theirs or not is_instructor(by):
        raise NotFound


def _reaching(user: UserOrAnonymous, right: Q) -> QuerySet[Bank]:
    if is_administrator(user):
        return Bank.objects.all()
    if not user.is_authenticated or not user.is_active or user.teaches is False:
        return Bank.objects.none()
    if lacks_second_factor(user):
        return Bank.objects.none()
    teaching = memberships_in_force().filter(user=user, role=Role.INSTRUCTOR)
    taught = groups_taught(user)
    named = Q(person=user) | Q(group__in=taught) | Q(person=None, group=None)
    shares = BankShare.objects.filter(right, named).order_by()
    return Bank.objects.filter(
        Exists(teaching),
        Q(owner=user) | Q(group__in=taught) | Q(pk__in=shares.values("bank")),
    )
