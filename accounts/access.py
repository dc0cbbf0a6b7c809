"""Who may do what by role: the one role map that filters and predicates are made from.

A role counts only for a person whose address is confirmed: whoever makes an account with the
address of somebody else has no part in what that person was given. Where the site asks staff for a
second factor, it counts only for who has one.
"""

from typing import TypeVar

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet

from accounts.models import Group, Membership, Role, User

UserOrAnonymous = User | AnonymousUser
Row = TypeVar("Row", bound=Model)


def memberships_in_force() -> QuerySet[Membership]:
    """Return the memberships of people whose address is confirmed; others wait until it is."""
    memberships: QuerySet[Membership] = Membership.objects.filter(
        user__email=F("user__confirmed_email")
    )
    return memberships


def groups_taught(user: UserOrAnonymous) -> QuerySet[Group]:
    """Return the groups that this person teaches; an administrator teaches all."""
    if not user.is_authenticated or not user.is_active:
        return Group.objects.none()
    if is_administrator(user):
        return Group.objects.all()
    if lacks_second_factor(user):
        return Group.objects.none()
    return Group.objects.filter(taught_by(user)).distinct()


def taught_by(user: User) -> Q:
    """Return the condition that this person is an instructor of a group."""
    teaching = memberships_in_force().filter(user=user, role=Role.INSTRUCTOR)
    return Q(pk__in=teaching.values("group_id"))


def groups_joined(user: UserOrAnonymous) -> QuerySet[Group]:
    """Return the groups that this person belongs to, in any role."""
    if not user.is_authenticated:
        return Group.objects.none()
    joined = memberships_in_force().filter(user=user)
    return Group.objects.filter(pk__in=joined.values("group_id"))


def second_factor_exists(user: OuterRef) -> Exists:
    """Return the condition that signing in asks this person for a second factor."""
    return Exists(_second_factors().filter(user=user))


def _second_factors() -> QuerySet[Authenticator]:
    factors: QuerySet[Authenticator] = Authenticator.objects.exclude(
        type=Authenticator.Type.RECOVERY_CODES
    )
    return factors


def lacks_second_factor(user: User) -> bool:
    """Return whether the site asks staff for a second factor, and this person has none."""
    if not settings.STAFF_SECOND_FACTOR:
        return False
    if user.has_second_factor is not None:
        return not user.has_second_factor
    return not _second_factors().filter(user=user).exists()


def must_add_second_factor(user: UserOrAnonymous) -> bool:
    """Return whether this person has a role that waits for a second factor."""
    return user.is_authenticated and lacks_second_factor(user) and _has_staff_role(user)


def is_instructor(user: UserOrAnonymous) -> bool:
    """Return whether this person teaches any group, or administers the site."""
    return user.is_authenticated and _has_staff_role(user) and not lacks_second_factor(user)


def _has_staff_role(user: User) -> bool:
    if not user.is_active or not user.is_confirmed:
        return False
    if user.is_superuser:
        return True
    if user.teaches is not None:
        return user.teaches
    return memberships_in_force().filter(user=user, role=Role.INSTRUCTOR).exists()


def is_administrator(user: UserOrAnonymous) -> bool:
    """Return whether this person runs the site."""
    if not user.is_authenticated or not user.is_superuser:
        return False
    return user.is_active and user.is_confirmed and not lacks_second_factor(user)


def readable_by_author(user: UserOrAnonymous, rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return those of rows with a `group` that an author may read: of their groups, or of none."""
    if is_administrator(user):
        return rows
    if not is_instructor(user):
        return rows.none()
    return rows.filter(Q(group__isnull=True) | Q(group__in=groups_taught(user)))


def editable_by_author(user: UserOrAnonymous, rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return those of rows with a `group` that an author may change; administrators, all."""
    return rows if is_administrator(user) else rows.filter(group__in=groups_taught(user))
