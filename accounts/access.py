"""Who may do what by role: the one role map that filters and predicates are made from.

A role counts only for a person whose address is confirmed: whoever makes an account with the
address of somebody else has no part in what that person was given. Where the site asks staff for a
second factor, it counts only for who has one.
"""

from collections.abc import Collection
from typing import TypeVar
from uuid import UUID

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet

from accounts.models import Group, Membership, Role, User
from quizzes.lib.errors import NotFound

STAFF_ROLES = frozenset({Role.ASSISTANT, Role.INSTRUCTOR})
"""Who oversees attempts and marks them. Only an instructor changes quizzes, keys and classes."""
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
    return _groups_in_role(user, {Role.INSTRUCTOR})


def groups_overseen(user: UserOrAnonymous) -> QuerySet[Group]:
    """Return the groups whose results this person sees and marks: they teach, or assist there."""
    return _groups_in_role(user, STAFF_ROLES)


def _groups_in_role(user: UserOrAnonymous, roles: Collection[Role]) -> QuerySet[Group]:
    if not user.is_authenticated or not user.is_active:
        return Group.objects.none()
    if is_administrator(user):
        return Group.objects.all()
    if lacks_second_factor(user):
        return Group.objects.none()
    memberships = memberships_in_force().filter(user=user, role__in=roles)
    return Group.objects.filter(pk__in=memberships.values("group_id"))


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
    return settings.STAFF_SECOND_FACTOR and not has_second_factor(user)


def has_second_factor(user: User) -> bool:
    """Return whether they have a second factor; in their own session, whether it counts there."""
    if user.has_second_factor is not None:
        return user.has_second_factor
    return _second_factors().filter(user=user).exists() or has_provider_second_factor(user)


def has_provider_second_factor(user: User) -> bool:
    """Return whether they last gave a second factor to a provider that the settings trust for it.

    For what somebody did who is not here now; their own requests ask their session.
    """
    trusted = [provider.id for provider in settings.IDENTITY_PROVIDERS if provider.second_factors]
    if not trusted:
        return False
    identities = SocialAccount.objects.filter(user=user, provider__in=trusted)
    return bool(identities.filter(extra_data__second_factor=True).exists())


def must_add_second_factor(user: UserOrAnonymous) -> bool:
    """Return whether this person has a role that waits for a second factor."""
    if not user.is_authenticated or not lacks_second_factor(user):
        return False
    return has_staff_role(user) or _has_class_right(user)


def is_instructor(user: UserOrAnonymous) -> bool:
    """Return whether this person teaches any group, or administers the site."""
    return user.is_authenticated and _teaches(user) and not lacks_second_factor(user)


def is_overseer(user: UserOrAnonymous) -> bool:
    """Return whether this person sees results of others and marks them: teaches, or assists."""
    return user.is_authenticated and has_staff_role(user) and not lacks_second_factor(user)


def can_make_class(user: UserOrAnonymous) -> bool:
    """Return whether this person teaches, or may make their first class: an administrator said so.

    It opens the way to that page and nothing else; all other rights come with the class.
    """
    if not user.is_authenticated:
        return False
    return is_instructor(user) or (_has_class_right(user) and not lacks_second_factor(user))


def may_open_admin(user: UserOrAnonymous) -> bool:
    """Return whether the pages of those who teach are there for this person."""
    return is_overseer(user) or can_make_class(user)


def _has_class_right(user: User) -> bool:
    return user.may_make_classes and user.is_active and user.is_confirmed


def has_staff_role(user: User) -> bool:
    """Return whether they teach, assist or run the site, with or without a second factor."""
    is_known = user.teaches is not None and user.assists is not None
    return _has_role(user, STAFF_ROLES, (user.teaches or user.assists) if is_known else None)


def _teaches(user: User) -> bool:
    return _has_role(user, {Role.INSTRUCTOR}, user.teaches)


def _has_role(user: User, roles: Collection[Role], answer: bool | None) -> bool:
    """Return whether they have such a role, or run the site; `answer` came with their session."""
    if not user.is_active or not user.is_confirmed:
        return False
    if user.is_superuser:
        return True
    if answer is not None:
        return answer
    return memberships_in_force().filter(user=user, role__in=roles).exists()


def is_administrator(user: UserOrAnonymous) -> bool:
    """Return whether this person runs the site."""
    if not user.is_authenticated or not user.is_superuser:
        return False
    return user.is_active and user.is_confirmed and not lacks_second_factor(user)


def learners_taught(user: UserOrAnonymous) -> QuerySet[User]:
    """Return the learners of the groups that this person teaches; an administrator's are all."""
    if is_administrator(user):
        return User.objects.filter(is_active=True)
    taught = Membership.objects.filter(group__in=groups_taught(user), role=Role.LEARNER)
    return User.objects.filter(pk__in=taught.values("user_id"))


def people_overseen_by(user: UserOrAnonymous) -> QuerySet[User]:
    """Return the learners of the classes where they teach or assist; an administrator's are all."""
    if is_administrator(user):
        return User.objects.filter(guest_since=None)
    learners = memberships_in_force().filter(group__in=groups_overseen(user), role=Role.LEARNER)
    return User.objects.filter(pk__in=learners.values("user"))


def find_overseen(by: User, person: str) -> User | None:
    """Return one of `people_overseen_by`, by uuid; None if it is not among them, or no uuid."""
    try:
        return people_overseen_by(by).filter(uuid=UUID(person)).first()
    except ValueError:
        return None


def check_overseer(by: User, person: User) -> None:
    """Refuse who neither runs the site nor oversees this person: NotFound."""
    if not people_overseen_by(by).filter(pk=person.pk).exists():
        raise NotFound


def check_administrator(by: User | None) -> None:
    """Refuse who does not run the site: NotFound. Nobody (None) is the site itself: a command."""
    if by is not None and not is_administrator(by):
        raise NotFound


def check_self_or_administrator(by: User | None, person: User) -> None:
    """Refuse who is another person and does not run the site: NotFound. None is the site itself."""
    if by is None or by.pk != person.pk:
        check_administrator(by)


def readable_by_author(user: UserOrAnonymous, rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return those of rows with a `group` that an author may read: of their groups, or of none."""
    if is_administrator(user):
        return rows
    if not is_instructor(user):
        return rows.none()
    return rows.filter(Q(group__isnull=True) | Q(group__in_array=groups_taught(user)))


def editable_by_author(user: UserOrAnonymous, rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return those of rows with a `group` that an author may change; administrators, all."""
    return rows if is_administrator(user) else rows.filter(group__in=groups_taught(user))
