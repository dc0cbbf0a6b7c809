"""Who may do what by role: the one role map that filters and predicates are made from."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from accounts.models import Group, Membership, Role, User

Person = User | AnonymousUser


def groups_taught(user: Person) -> QuerySet[Group]:
    """Give the groups that this person teaches; an administrator teaches all."""
    if not user.is_authenticated or not user.is_active:
        return Group.objects.none()
    if user.is_superuser:
        return Group.objects.all()
    return Group.objects.filter(taught_by(user)).distinct()


def taught_by(user: User) -> Q:
    """Give the condition on a group that this person is its instructor."""
    return Q(pk__in=Membership.objects.filter(user=user, role=Role.INSTRUCTOR).values("group_id"))


def groups_joined(user: Person) -> QuerySet[Group]:
    """Give the groups that this person belongs to, in any role."""
    if not user.is_authenticated:
        return Group.objects.none()
    return Group.objects.filter(memberships__user=user)


def is_instructor(user: Person) -> bool:
    """Tell whether this person teaches any group, or administers the site."""
    if not user.is_authenticated or not user.is_active:
        return False
    if user.is_superuser:
        return True
    if user.teaches is not None:
        return user.teaches
    return user.memberships.filter(role=Role.INSTRUCTOR).exists()


def is_administrator(user: Person) -> bool:
    """Tell whether this person runs the site."""
    return user.is_authenticated and user.is_active and user.is_superuser
